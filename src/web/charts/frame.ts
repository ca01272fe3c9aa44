import { type Cell, table } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'

/** The size of every drawing, in units. A stylesheet scales it. */
export const WIDTH = 400
export const HEIGHT = 160
/** The area inside axes and labels. */
export const inner = { left: 40, right: WIDTH - 8, top: 8, bottom: HEIGHT - 22 } as const

/** An entry of the legend. `tone` is its class in `charts.css`. */
export type Mark = { tone: 'ok' | 'bad' | 'first' | 'second'; label: string }

type Figure = {
  /** unique in the page */
  id: string
  title: string
  /** what the chart shows, in a sentence, for screen readers */
  summary: string
  body: Html
  height?: number
  marks?: readonly Mark[]
  /** the same figures as a table */
  head: readonly string[]
  rows: readonly (readonly Cell[])[]
}

/** A chart with its title, legend and figures. */
export function figure(parts: Figure): Html {
  const { id, title, summary, body, height = HEIGHT, marks = [], head, rows } = parts
  return html`
<figure class="chart">
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc"
><title id="${id}-title">${title}</title><desc id="${id}-desc">${summary}</desc>${body}</svg>
${
  marks.length > 0 &&
  html`<ul class="marks">${marks.map(
    ({ tone, label }) => html`<li class="${tone}">${label}</li>`,
  )}</ul>`
}
<p class="quiet">${summary}</p>
<details><summary>As a table</summary>${table(head, rows, title)}</details>
</figure>`
}

/** Items from the first with data, at least the last `least`: a chart starts where its data do. */
export function sinceFirst<T>(
  items: readonly T[],
  hasData: (item: T) => boolean,
  least: number,
): readonly T[] {
  const first = items.findIndex(hasData)
  const start = Math.min(first === -1 ? items.length : first, items.length - least)
  return items.slice(Math.max(0, start))
}

/** Coordinates to a tenth of a unit. */
export const rounded = (value: number): number => Math.round(value * 10) / 10

const compact = new Intl.NumberFormat('en', { notation: 'compact' })

/** Horizontal lines at whole values, with labels. */
export const valueAxis = (ticks: readonly number[], y: (value: number) => number): Html =>
  html`<g class="axis">${ticks.filter(Number.isInteger).map((tick) => {
    const at = rounded(y(tick))
    return html`<line x1="${inner.left}" x2="${inner.right}" y1="${at}" y2="${at}"/>
<text x="${inner.left - 6}" y="${at + 4}" text-anchor="end">${compact.format(tick)}</text>`
  })}</g>`

/** Labels below the drawing: the first, the middle and the last of these names. */
export function nameAxis(names: readonly string[], x: (index: number) => number): Html {
  const last = names.length - 1
  const shown = names.length <= 3 ? [...names.keys()] : [0, Math.round(last / 2), last]
  const label = (index: number) => {
    const [at, anchor] =
      names.length === 1 || (index > 0 && index < last)
        ? [x(index), 'middle']
        : index === 0
          ? [inner.left, 'start']
          : [inner.right, 'end']
    const y = HEIGHT - 6
    return html`<text x="${rounded(at)}" y="${y}" text-anchor="${anchor}">${names[index]}</text>`
  }
  return html`<g class="axis">${shown.map(label)}</g>`
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** 21 Nov, in UTC. */
export const dayWords = (day: string | Date): string => dayFormat.format(new Date(day))

/** A count with its noun: `1 booking`, `1,200 bookings`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
