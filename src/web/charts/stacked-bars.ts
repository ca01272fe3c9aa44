import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { type Html, html } from '../page/html.ts'
import { inner, type Mark, nameAxis, rounded, valueAxis } from './frame.ts'

type Bar = { name: string; ok: number; bad: number }
type Labels = Readonly<Record<'ok' | 'bad', string>>

/** A bar for each span of time: successes below, failures above. */
export function stackedBars(bars: readonly Bar[], labels: Labels): Html {
  const x = scaleBand<number>()
    .domain([...bars.keys()])
    .range([inner.left, inner.right])
    .paddingInner(0.25)
  const most = Math.max(1, ...bars.map(({ ok, bad }) => ok + bad))
  const y = scaleLinear().domain([0, most]).nice(3).range([inner.bottom, inner.top])
  const width = rounded(x.bandwidth())
  const series = stack<Bar, 'ok' | 'bad'>().keys(['ok', 'bad'])([...bars])
  const layers = series.map((layer) => {
    const rects = bars.map(({ name }, index) => {
      const [from, to] = layer[index] ?? [0, 0]
      if (to <= from) return false
      return html`<rect x="${rounded(x(index) ?? 0)}" y="${rounded(y(to))}"
width="${width}" height="${rounded(y(from) - y(to))}"
><title>${name}: ${to - from} ${labels[layer.key]}</title></rect>`
    })
    return html`<g class="${layer.key}">${rects}</g>`
  })
  const middle = (index: number) => (x(index) ?? 0) + x.bandwidth() / 2
  const names = bars.map(({ name }) => name)
  return html`${valueAxis(y.ticks(3), y)}${layers}${nameAxis(names, middle)}`
}

export const barMarks = ({ ok, bad }: Labels): Mark[] => [
  { tone: 'ok', label: ok },
  { tone: 'bad', label: bad },
]

/** 97.5 %, or 97 % without a fraction; a dash when `whole` is 0. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 1000) / 10} %`
