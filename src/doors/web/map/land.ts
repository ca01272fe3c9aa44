import { type Box, coastlines, type Ring } from './coast.ts'
import type { Projection } from './projection.ts'

/** Islands smaller than this many units across are not drawn. */
const SMALLEST = 2
/** Points nearer than this many units to the one before are left out: where a unit is many kilometres, more of them. */
const NEAREST = { wide: 2.5, near: 1 }
const WIDE_KM = 2
const MOST_KEPT = 100
/** Beyond the edge, where the line along which land is cut is not seen. */
const BLEED = 0.05

type Points = [number, number][]

const kept = new Map<string, string>()

/** The land within the projection as the data of an SVG path, in whole units; empty at sea. The last maps are kept. */
export function landPath(projection: Projection): string {
  const key = Object.values(projection.box).join(' ')
  const known = kept.get(key)
  if (known !== undefined) return known
  const cut = widened(projection.box)
  const path = coastlines()
    .filter(({ box }) => touches(box, cut))
    .map((ring) => lineOf(clipped(ring, cut), projection))
    .join('')
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(key, path)
  return path
}

function widened({ west, east, south, north }: Box): Box {
  const x = (east - west) * BLEED
  const y = (north - south) * BLEED
  return { west: west - x, east: east + x, south: south - y, north: north + y }
}

const touches = (one: Box, other: Box) =>
  one.west <= other.east &&
  one.east >= other.west &&
  one.south <= other.north &&
  one.north >= other.south

/** Sutherland and Hodgman: the ring is cut along each side in turn. */
function clipped(ring: Ring, cut: Box): Points {
  const { box } = ring
  const points = nearby(ring, cut)
  const sides = [
    box.west < cut.west && side(0, cut.west, 1),
    box.east > cut.east && side(0, cut.east, -1),
    box.south < cut.south && side(1, cut.south, 1),
    box.north > cut.north && side(1, cut.north, -1),
  ]
  return sides.reduce((left, cutSide) => (cutSide ? cutSide(left) : left), points)
}

/** The ring without what a side cuts off anyway: of a line beyond one of them its ends are enough. */
function nearby({ degrees }: Ring, { west, east, south, north }: Box): Points {
  const points: Points = []
  const sideOf = (at: number) => {
    const longitude = degrees[at] ?? 0
    const latitude = degrees[at + 1] ?? 0
    if (longitude < west) return 1
    if (longitude > east) return 2
    if (latitude < south) return 3
    return latitude > north ? 4 : 0
  }
  let before = 0
  let here = sideOf(0)
  for (let at = 0; at < degrees.length; at += 2) {
    const after = sideOf(at + 2 < degrees.length ? at + 2 : 0)
    if (here === 0 || here !== before || here !== after)
      points.push([degrees[at] ?? 0, degrees[at + 1] ?? 0])
    before = here
    here = after
  }
  return points
}

/** Cuts off what lies before `limit` on an axis, in the direction of `sign`. */
const side = (axis: 0 | 1, limit: number, sign: 1 | -1) => (points: Points) => {
  const kept: Points = []
  let before = points.at(-1)
  for (const point of points) {
    const isIn = (point[axis] - limit) * sign >= 0
    if (before && (before[axis] - limit) * sign >= 0 !== isIn) {
      const share = (limit - before[axis]) / (point[axis] - before[axis])
      kept.push([
        before[0] + (point[0] - before[0]) * share,
        before[1] + (point[1] - before[1]) * share,
      ])
    }
    if (isIn) kept.push(point)
    before = point
  }
  return kept
}

function lineOf(points: Points, { x, y, kilometresPerUnit }: Projection): string {
  const nearest = kilometresPerUnit > WIDE_KM ? NEAREST.wide : NEAREST.near
  const line: Points = []
  for (const [longitude, latitude] of points) {
    const point: [number, number] = [Math.round(x(longitude)), Math.round(y(latitude))]
    const last = line.at(-1)
    if (last && Math.hypot(point[0] - last[0], point[1] - last[1]) < nearest) continue
    // There and back again is nothing to be seen.
    if (isSame(point, line.at(-2))) line.pop()
    else line.push(point)
  }
  const isSeen =
    line.length > 2 &&
    Math.max(extent(line.map(([atX]) => atX)), extent(line.map(([, atY]) => atY))) >= SMALLEST
  return isSeen ? pathOf(line) : ''
}

const isSame = (one: readonly number[], other: readonly number[] | undefined) =>
  one[0] === other?.[0] && one[1] === other?.[1]

/** After the first point each is told by how far it is from the one before. */
function pathOf([first, ...others]: Points): string {
  let [lastX, lastY] = first ?? [0, 0]
  const steps = others.map(([atX, atY]) => {
    const moved = `${atX - lastX} ${atY - lastY}`
    lastX = atX
    lastY = atY
    return moved
  })
  return `M${first?.join(' ')}l${steps.join(' ')}z`.replaceAll(' -', '-')
}

function extent(values: readonly number[]): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return most - least
}
