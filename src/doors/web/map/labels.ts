import { type Html, html } from '../html.ts'
import type { Place, Projection } from './projection.ts'

/** A dot on the map: `weight` 0 to 1 makes it larger, `href` a link. */
export type MapPoint = Place & { name: string; href: string | null; weight: number }

const SMALLEST_DOT = 4
const DOT_RANGE = 5
const LETTER_WIDTH = 6.6
const LINE_HEIGHT = 14

type Area = { left: number; top: number; right: number; bottom: number }

/** The dots, the heaviest first, each with its name where there is room for it; every dot has it as a title. */
export function labelled(points: readonly MapPoint[], projection: Projection): Html {
  const dots = points
    .toSorted((one, other) => other.weight - one.weight)
    .map((point) => {
      const x = Math.round(projection.x(point.longitude))
      const y = Math.round(projection.y(point.latitude))
      const radius = Math.round(SMALLEST_DOT + DOT_RANGE * Math.sqrt(point.weight))
      return { point, x, y, radius }
    })
  const taken: Area[] = dots.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }))
  const drawn = dots.map(({ point, x, y, radius }) => {
    const width = [...point.name].length * LETTER_WIDTH
    const places = [
      { at: x + radius + 4, anchor: 'start', left: x + radius + 3, y },
      { at: x - radius - 4, anchor: 'end', left: x - radius - 4 - width, y },
      { at: x, anchor: 'middle', left: x - width / 2, y: y + radius + 10 },
      { at: x, anchor: 'middle', left: x - width / 2, y: y - radius - 10 },
    ] as const
    const free = places.find((place) => {
      const area = {
        left: place.left,
        right: place.left + width,
        top: place.y - LINE_HEIGHT / 2,
        bottom: place.y + LINE_HEIGHT / 2,
      }
      const isFree =
        area.left >= 0 &&
        area.right <= projection.width &&
        taken.every((other) => !overlap(area, other))
      if (isFree) taken.push(area)
      return isFree
    })
    const dot = html`<circle cx="${x}" cy="${y}" r="${radius}"><title>${point.name}</title></circle>${
      free
        ? html`<text x="${Math.round(free.at)}" y="${free.y + 4}" text-anchor="${free.anchor}">${point.name}</text>`
        : ''
    }`
    return point.href === null
      ? html`<g class="dot">${dot}</g>`
      : html`<a class="dot" href="${point.href}" aria-label="${point.name}">${dot}</a>`
  })
  return html`<g>${drawn}</g>`
}

const overlap = (one: Area, other: Area) =>
  one.left < other.right &&
  one.right > other.left &&
  one.top < other.bottom &&
  one.bottom > other.top
