import type { Category } from '../../../contract/rules/venue-kinds.ts'
import { type Html, html } from '../html.ts'

const WIDTH = 120
const HEIGHT = 64
const TONES = 6

/** A number from 0 to 1 for each question, the same whenever the same is asked. */
type Draw = (question: string) => number

/** What stands for a photograph: a drawing that follows from what the venue is and what it is called, so that it never changes. */
export function motif({ slug, category }: { slug: string; category: Category }): Html {
  const draw: Draw = (question) => fraction(`${slug}/${question}`)
  const tone = Math.floor(draw('tone') * TONES)
  return html`<svg class="motif tone-${tone}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false"><rect width="${WIDTH}" height="${HEIGHT}"/>${shapes[category](draw)}</svg>`
}

/** FNV-1a and a final mix. */
function fraction(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

const between = (share: number, from: number, to: number) => Math.round(from + share * (to - from))
const times = (count: number, make: (index: number) => Html) =>
  Array.from({ length: count }, (_, index) => make(index))

/** Plates, glasses, weights, waves. */
const shapes: Record<Category, (draw: Draw) => Html[]> = {
  restaurant: (draw) =>
    times(4, (index) => {
      const x = 12 + index * 32
      const y = between(draw(`y${index}`), 16, 48)
      const r = between(draw(`r${index}`), 9, 21)
      return html`<circle cx="${x}" cy="${y}" r="${r}"/><circle cx="${x}" cy="${y}" r="${Math.round(r * 0.62)}"/>`
    }),
  bar: (draw) =>
    times(7, (index) => {
      const x = 6 + index * 16
      const top = between(draw(`top${index}`), 10, 36)
      const waist = between(draw(`waist${index}`), 3, 7)
      return html`<path d="M${x} ${HEIGHT}V${top}l${6 - waist}-8h${waist * 2 - 4}l${6 - waist} 8V${HEIGHT}z"/>`
    }),
  gym: (draw) =>
    times(3, (index) => {
      const y = 14 + index * 18
      const left = between(draw(`left${index}`), 6, 40)
      const length = between(draw(`length${index}`), 40, 70)
      const disc = between(draw(`disc${index}`), 5, 9)
      return html`<path d="M${left} ${y - 1}h${length}v3h-${length}z"/><rect x="${left + 5}" y="${y - disc}" width="6" height="${disc * 2}" rx="2"/><rect x="${left + length - 11}" y="${y - disc}" width="6" height="${disc * 2}" rx="2"/>`
    }),
  spa: (draw) =>
    times(4, (index) => {
      const y = 20 + index * 11
      const swing = between(draw(`swing${index}`), 6, 16)
      const shift = between(draw(`shift${index}`), -30, 0)
      return html`<path d="M${shift - 10} ${y}q20-${swing} 40 0t40 0 40 0 40 0V${HEIGHT}H${shift - 10}z"/>`
    }),
}
