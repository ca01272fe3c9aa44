import { type Cell, table } from '../components/table.ts'
import { type Html, html } from '../html.ts'

/** Units of every chart's drawing; a stylesheet decides how large it is shown. */
export const WIDTH = 400
export const HEIGHT = 160
/** What axes and their labels take of it. */
export const inner = { left: 40, right: WIDTH - 8, top: 8, bottom: HEIGHT - 22 } as const

/** What a mark means, and the class that colours it in `charts.css`. */
export type Mark = { tone: 'ok' | 'bad' | 'first' | 'second'; label: string }

export type Drawing = {
  /** unique in the page */
  id: string
  title: string
  /** what one sees in it, in a sentence, for those who do not */
  summary: string
  body: Html
  height?: number
  marks?: readonly Mark[]
  /** the same figures as a table */
  head: readonly string[]
  rows: readonly (readonly Cell[])[]
}

/** A drawing with its title, what its colours mean, and its figures as a table. */
export function figure({
  id,
  title,
  summary,
  body,
  height = HEIGHT,
  marks = [],
  ...twin
}: Drawing): Html {
  return html`
<figure class="chart">
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${summary}</desc>${body}</svg>
${marks.length > 0 ? html`<ul class="marks">${marks.map(({ tone, label }) => html`<li class="${tone}">${label}</li>`)}</ul>` : ''}
<p class="quiet">${summary}</p>
<details><summary>As a table</summary>${table(twin.head, twin.rows, title)}</details>
</figure>`
}

/** Coordinates to a tenth of a unit. */
export const short = (value: number): number => Math.round(value * 10) / 10

const compact = new Intl.NumberFormat('en', { notation: 'compact' })

/** Horizontal lines at these values, with what they stand for. */
export const valueAxis = (ticks: readonly number[], y: (value: number) => number): Html =>
  html`<g class="axis">${ticks.map(
    (
      tick,
    ) => html`<line x1="${inner.left}" x2="${inner.right}" y1="${short(y(tick))}" y2="${short(y(tick))}"/>
<text x="${inner.left - 6}" y="${short(y(tick)) + 4}" text-anchor="end">${compact.format(tick)}</text>`,
  )}</g>`

/** The first, the middle and the last of these below the drawing, or all when they are few. */
export function nameAxis(names: readonly string[], x: (index: number) => number): Html {
  const last = names.length - 1
  const shown = names.length <= 3 ? [...names.keys()] : [0, Math.round(last / 2), last]
  const anchor = (index: number) => {
    if (names.length === 1 || (index > 0 && index < last)) return 'middle'
    return index === 0 ? 'start' : 'end'
  }
  const at = (index: number) => {
    if (anchor(index) === 'start') return inner.left
    return anchor(index) === 'end' ? inner.right : x(index)
  }
  return html`<g class="axis">${shown.map(
    (index) =>
      html`<text x="${short(at(index))}" y="${HEIGHT - 6}" text-anchor="${anchor(index)}">${names[index] ?? ''}</text>`,
  )}</g>`
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** 21 Nov, in UTC. */
export const dayWords = (day: string | Date): string => dayFormat.format(new Date(day))

/** 21 Nov 14:00, in UTC. */
export const hourWords = (at: string): string => `${dayWords(at)} ${at.slice(11, 16)}`

/** A number of things in words: `1 booking`, `1,200 bookings`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
