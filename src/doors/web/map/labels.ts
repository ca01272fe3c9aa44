import type { LatLng } from '../../../venues/store/venue-scopes.ts'
import { type Html, html } from '../html.ts'
import type { Projection } from './projection.ts'

/** A dot on the map. A `weight` from 0 to 1 makes it larger. */
export type MapPoint = LatLng & { name: string; href: string | null; weight: number }

const MIN_RADIUS = 4
const RADIUS_RANGE = 5
const LETTER_WIDTH = 6.6
const LINE_HEIGHT = 14

type Label = { at: number; anchor: string; y: number }
type Area = { left: number; right: number; top: number; bottom: number }

const overlap = (one: Area, other: Area) =>
  one.left < other.right &&
  one.right > other.left &&
  one.top < other.bottom &&
  one.bottom > other.top

/** On a phone the drawing is half as large, so letters are twice as large in its units. */
const PHONE = 2

/** The dots, heaviest first, with names where there is room. Every dot has its name as title. */
export function labelled(points: readonly MapPoint[], projection: Projection): Html {
  const dots = points
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ name, href, weight, latitude, longitude }) => ({
      name,
      href,
      x: Math.round(projection.x(longitude)),
      y: Math.round(projection.y(latitude)),
      radius: Math.round(MIN_RADIUS + RADIUS_RANGE * Math.sqrt(weight)),
    }))
  const taken = dots.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }))
  const takenOnPhones: Area[] = []
  const drawn = dots.map(({ name, href, x, y, radius }) => {
    const width = [...name].length * LETTER_WIDTH
    const label = [
      { at: x + radius + 4, anchor: 'start', left: x + radius + 3, y },
      { at: x - radius - 4, anchor: 'end', left: x - radius - 4 - width, y },
      { at: x, anchor: 'middle', left: x - width / 2, y: y + radius + 10 },
      { at: x, anchor: 'middle', left: x - width / 2, y: y - radius - 10 },
    ].find(({ left, y }) => {
      const half = LINE_HEIGHT / 2
      const area = { left, right: left + width, top: y - half, bottom: y + half }
      const isInside = left >= 0 && area.right <= projection.width
      if (!isInside || taken.some((other) => overlap(area, other))) return false
      taken.push(area)
      return true
    })
    const dot = html`<circle cx="${x}" cy="${y}" r="${radius}"><title>${name}</title></circle>${
      label &&
      html`<text x="${Math.round(label.at)}" y="${label.y + 4}"
text-anchor="${label.anchor}"${!fitsPhone(label, width) && html` class="fine"`}>${name}</text>`
    }`
    return href === null
      ? html`<g class="dot">${dot}</g>`
      : html`<a class="dot" href="${href}" aria-label="${name}">${dot}</a>`
  })
  return html`<g>${drawn}</g>`

  function fitsPhone({ at, anchor, y }: Label, width: number): boolean {
    const large = width * PHONE
    const left = anchor === 'start' ? at : anchor === 'end' ? at - large : at - large / 2
    const area = { left, right: left + large, top: y - LINE_HEIGHT, bottom: y + LINE_HEIGHT }
    const isInside = left >= 0 && area.right <= projection.width
    if (!isInside || takenOnPhones.some((other) => overlap(area, other))) return false
    takenOnPhones.push(area)
    return true
  }
}
