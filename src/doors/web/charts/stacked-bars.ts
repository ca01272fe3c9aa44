import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { type Html, html } from '../html.ts'
import { inner, type Mark, nameAxis, short, valueAxis } from './frame.ts'

/** What went well and what did not in a span of time. */
export type Bar = { name: string; ok: number; bad: number }

/** A bar for each, what went well at the bottom; an empty one leaves its place free. */
export function stackedBars(bars: readonly Bar[], words: Record<'ok' | 'bad', string>): Html {
  const x = scaleBand<number>()
    .domain([...bars.keys()])
    .range([inner.left, inner.right])
    .paddingInner(0.25)
  const most = Math.max(1, ...bars.map(({ ok, bad }) => ok + bad))
  const y = scaleLinear().domain([0, most]).nice(3).range([inner.bottom, inner.top])
  const series = stack<Bar, 'ok' | 'bad'>().keys(['ok', 'bad'])([...bars])
  const rects = series.map(
    (layer) =>
      html`<g class="${layer.key}">${[...layer.entries()].flatMap(([index, [from, to]]) =>
        to > from
          ? [
              html`<rect x="${short(x(index) ?? 0)}" y="${short(y(to))}" width="${short(x.bandwidth())}" height="${short(y(from) - y(to))}"><title>${`${bars[index]?.name}: ${to - from} ${words[layer.key]}`}</title></rect>`,
            ]
          : [],
      )}</g>`,
  )
  const middle = (index: number) => (x(index) ?? 0) + x.bandwidth() / 2
  return html`${valueAxis(y.ticks(3).filter(Number.isInteger), y)}${rects}${nameAxis(
    bars.map(({ name }) => name),
    middle,
  )}`
}

/** What the colours of the bars mean. */
export const barMarks = ({ ok, bad }: Record<'ok' | 'bad', string>): Mark[] => [
  { tone: 'ok', label: ok },
  { tone: 'bad', label: bad },
]

/** 97.5 %, without a fraction where there is none; a dash for none of none. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 1000) / 10} %`
