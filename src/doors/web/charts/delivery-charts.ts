import { scaleLinear, scaleTime } from 'd3-scale'
import { line } from 'd3-shape'
import type { DeliverySpan } from '../../../webhooks/schema/deliveries.ts'
import { type Html, html } from '../html.ts'
import {
  counted,
  dayWords,
  figure,
  hourWords,
  inner,
  type Mark,
  nameAxis,
  short,
  valueAxis,
} from './frame.ts'
import { barMarks, percent, stackedBars } from './stacked-bars.ts'

const HOUR_MS = 3_600_000

const outcomes = { ok: 'succeeded', bad: 'failed' }

/** How many requests to endpoints succeeded and failed in each span. */
export function deliveryOutcomes(id: string, spans: readonly DeliverySpan[]): Html {
  const succeeded = spans.reduce((sum, span) => sum + span.succeeded, 0)
  const failed = spans.reduce((sum, span) => sum + span.failed, 0)
  const all = succeeded + failed
  return figure({
    id,
    title: 'Attempts',
    summary:
      all === 0
        ? `Nothing was sent ${sinceWords(spans)}.`
        : `${counted(all, 'attempt')} ${sinceWords(spans)}, ${percent(succeeded, all)} succeeded.`,
    body: stackedBars(
      spans.map((span) => ({ name: nameOf(spans, span), ok: span.succeeded, bad: span.failed })),
      outcomes,
    ),
    marks: barMarks(outcomes),
    head: ['From (UTC)', 'Succeeded', 'Failed'],
    rows: spans.map(({ at, ...span }) => [timeText(at), span.succeeded, span.failed]).toReversed(),
  })
}

const latencies = [
  { field: 'p50_ms', tone: 'first', label: 'half within' },
  { field: 'p95_ms', tone: 'second', label: '95 % within' },
] as const satisfies readonly (Mark & { field: keyof DeliverySpan })[]

/** How long endpoints took to answer: the median and the 95th percentile of each span, with gaps where nothing was answered. */
export function deliveryLatency(id: string, spans: readonly DeliverySpan[]): Html {
  const known = spans.flatMap(({ p95_ms }) => p95_ms ?? [])
  const times = spans.map(({ at }) => Date.parse(at))
  const x = scaleTime()
    .domain([times[0] ?? 0, times.at(-1) ?? 1])
    .range([inner.left, inner.right])
  const most = Math.max(1, ...spans.flatMap(({ p50_ms, p95_ms }) => [p50_ms ?? 0, p95_ms ?? 0]))
  const y = scaleLinear().domain([0, most]).nice(3).range([inner.bottom, inner.top])
  const place = (span: DeliverySpan) => short(x(Date.parse(span.at)))
  const curves = latencies.map(({ field, tone }) => {
    const path = line<DeliverySpan>()
      .defined((span) => span[field] !== null)
      .x(place)
      .y((span) => short(y(span[field] ?? 0)))
    const dots = spans.flatMap((span) => {
      const ms = span[field]
      return ms === null
        ? []
        : [
            html`<circle cx="${place(span)}" cy="${short(y(ms))}" r="2"><title>${`${nameOf(spans, span)}: ${Math.round(ms)} ms`}</title></circle>`,
          ]
    })
    return html`<g class="line ${tone}"><path d="${path([...spans]) ?? ''}"/>${dots}</g>`
  })
  const names = spans.map((span) => nameOf(spans, span))
  return figure({
    id,
    title: 'Time to answer, in ms',
    summary:
      known.length === 0
        ? `Nothing was answered ${sinceWords(spans)}.`
        : `At worst, 95 % were answered within ${Math.round(Math.max(...known))} ms.`,
    body: html`${valueAxis(y.ticks(3).filter(Number.isInteger), y)}${curves}${nameAxis(names, (index) => x(times[index] ?? 0))}`,
    marks: latencies,
    head: ['From (UTC)', 'Half within', '95 % within'],
    rows: spans
      .map((span) => [timeText(span.at), msText(span.p50_ms), msText(span.p95_ms)])
      .toReversed(),
  })
}

const isHourly = ([first, second]: readonly DeliverySpan[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  Date.parse(second.at) - Date.parse(first.at) < 24 * HOUR_MS

const nameOf = (spans: readonly DeliverySpan[], { at }: DeliverySpan): string =>
  isHourly(spans) ? hourWords(at) : dayWords(at)

const sinceWords = (spans: readonly DeliverySpan[]): string => {
  const [first] = spans
  return first ? `since ${nameOf(spans, first)}` : 'so far'
}

const timeText = (at: string): string => at.slice(0, 16).replace('T', ' ')

const msText = (ms: number | null): string => (ms === null ? '–' : `${Math.round(ms)} ms`)
