import { scaleLinear, scaleTime } from 'd3-scale'
import { line } from 'd3-shape'
import { DAY_MS } from '../../base/durations.ts'
import type { DeliverySpan } from '../../webhooks/schema/deliveries.ts'
import { minuteText } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { durationText } from '../page/times.ts'
import {
  counted,
  dayWords,
  figure,
  inner,
  nameAxis,
  rounded,
  sinceFirst,
  valueAxis,
} from './frame.ts'
import { barMarks, percent, stackedBars } from './stacked-bars.ts'

const outcomes = { ok: 'succeeded', bad: 'failed' }

/** Both charts of the attempts in these spans; undefined when there were none. */
export function attemptCharts(all: readonly DeliverySpan[]): Html | undefined {
  const hasData = ({ succeeded, failed }: DeliverySpan) => succeeded + failed > 0
  const spans = sinceFirst(all, hasData, MIN_SPANS)
  return spans.some(hasData)
    ? html`<div class="charts">${deliveryOutcomes('attempts', spans)}
${deliveryLatency('latency', spans)}</div>
<p class="quiet">These figures are up to a minute old.</p>`
    : undefined
}

const MIN_SPANS = 8
const LABEL_HEIGHT = 14

/** How many attempts succeeded and failed in each span. */
export function deliveryOutcomes(id: string, spans: readonly DeliverySpan[]): Html {
  const succeeded = spans.reduce((sum, span) => sum + span.succeeded, 0)
  const all = spans.reduce((sum, span) => sum + span.failed, succeeded)
  const bars = spans.map((span) => ({
    name: nameOf(spans, span),
    ok: span.succeeded,
    bad: span.failed,
  }))
  return figure({
    id,
    title: 'Attempts',
    summary:
      all === 0
        ? `No attempts ${sinceWords(spans)}.`
        : `${counted(all, 'attempt')} ${sinceWords(spans)}, ${percent(succeeded, all)} succeeded.`,
    body: stackedBars(bars, outcomes),
    marks: barMarks(outcomes),
    head: ['From (UTC)', 'Succeeded', 'Failed'],
    rows: spans
      .map(({ at, ...span }) => [minuteText(at), span.succeeded, span.failed])
      .toReversed(),
  })
}

const latencies = [
  { field: 'p50_ms', tone: 'first', label: 'p50' },
  { field: 'p95_ms', tone: 'second', label: 'p95' },
] as const

/** The response time of endpoints: p50 and p95 of each span, with gaps where none responded. */
export function deliveryLatency(id: string, spans: readonly DeliverySpan[]): Html {
  const slowest = Math.max(0, ...spans.map(({ p95_ms }) => p95_ms ?? 0))
  const most = Math.max(1, slowest, ...spans.map(({ p50_ms }) => p50_ms ?? 0))
  const times = spans.map(({ at }) => Date.parse(at))
  const x = scaleTime()
    .domain([times[0] ?? 0, times.at(-1) ?? 1])
    .range([inner.left, inner.right])
  const y = scaleLinear().domain([0, most]).nice(3).range([inner.bottom, inner.top])
  const xOf = (span: DeliverySpan) => rounded(x(Date.parse(span.at)))
  const curves = latencies.map(({ field, tone }) => {
    const path = line<DeliverySpan>()
      .defined((span) => span[field] !== null)
      .x(xOf)
      .y((span) => rounded(y(span[field] ?? 0)))
    const dots = spans.map((span, index) => {
      const ms = span[field]
      if (ms === null) return null
      const at = rounded(y(ms))
      const isAlone = ![index - 1, index + 1].some(
        (near) => typeof spans[near]?.[field] === 'number',
      )
      const isCovered = field === 'p50_ms' && at - y(span.p95_ms ?? 0) < LABEL_HEIGHT
      const label = isAlone && !isCovered && loneLabel(xOf(span), at, ms)
      return html`${label}<circle cx="${xOf(span)}" cy="${at}" r="${isAlone ? 4 : 2}"
><title>${nameOf(spans, span)}: ${Math.round(ms)} ms</title></circle>`
    })
    return html`<g class="line ${tone}"><path d="${path([...spans]) ?? ''}"/>${dots}</g>`
  })
  const names = spans.map((span) => nameOf(spans, span))
  const axis = nameAxis(names, (index) => x(times[index] ?? 0))
  return figure({
    id,
    title: 'Response time, in ms',
    summary:
      slowest === 0
        ? `No responses ${sinceWords(spans)}.`
        : `The highest p95 was ${Math.round(slowest)} ms.`,
    body: html`${valueAxis(y.ticks(3), y)}${curves}${axis}`,
    marks: latencies,
    head: ['From (UTC)', 'p50', 'p95'],
    rows: spans
      .map((span) => [minuteText(span.at), msText(span.p50_ms), msText(span.p95_ms)])
      .toReversed(),
  })
}

/** A value between two gaps makes no line: it says what it is, on the side that has room. */
function loneLabel(x: number, y: number, ms: number): Html {
  const isRight = x > (inner.left + inner.right) / 2
  return html`<text x="${isRight ? x - 8 : x + 8}" y="${y + 4}"${
    isRight && html` text-anchor="end"`
  }>${Math.round(ms)} ms</text>`
}

/** 21 Nov, or 21 Nov 14:00 when the spans are shorter than a day. */
function nameOf([first, second]: readonly DeliverySpan[], { at }: DeliverySpan): string {
  const isHourly = first && second && Date.parse(second.at) - Date.parse(first.at) < DAY_MS
  return isHourly ? `${dayWords(at)} ${at.slice(11, 16)}` : dayWords(at)
}

const sinceWords = (spans: readonly DeliverySpan[]): string =>
  spans[0] ? `since ${nameOf(spans, spans[0])}` : 'so far'

const msText = (ms: number | null): string => (ms === null ? '–' : durationText(ms))
