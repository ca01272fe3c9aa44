import { type Box, coastlines, type Ring } from './coast.ts'
import { extent, type Projection } from './projection.ts'

/** Smaller islands, in units, are not drawn. */
const MIN_ISLAND = 2
/** Minimum distance between points, in units; more where a unit is many kilometres. */
const MIN_STEP = { wide: 2.5, near: 1 }
const WIDE_KM = 2
const MAX_CACHED = 100
/** Land is cut beyond the edge, where the cut is not visible. */
const BLEED = 0.05

type Point = [number, number]

const paths = new Map<string, string>()

/** The land of a projection as SVG path data, in whole units; '' at sea. Cached. */
export function landPath(projection: Projection): string {
  const { west, east, south, north } = projection.box
  const key = Object.values(projection.box).join(' ')
  const cached = paths.get(key)
  if (cached !== undefined) return cached
  const x = (east - west) * BLEED
  const y = (north - south) * BLEED
  const cut = { west: west - x, east: east + x, south: south - y, north: north + y }
  const path = coastlines()
    .filter(({ box }) => touches(box, cut))
    .map((ring) => outlineOf(clipped(ring, cut), projection))
    .join('')
  if (paths.size >= MAX_CACHED) paths.clear()
  paths.set(key, path)
  return path
}

const touches = (one: Box, other: Box) =>
  one.west <= other.east &&
  one.east >= other.west &&
  one.south <= other.north &&
  one.north >= other.south

/** Sutherland and Hodgman: the ring is cut along each side in turn. */
function clipped(ring: Ring, cut: Box): Point[] {
  const { box } = ring
  let points = nearby(ring, cut)
  if (box.west < cut.west) points = cutAt(points, 0, cut.west, 1)
  if (box.east > cut.east) points = cutAt(points, 0, cut.east, -1)
  if (box.south < cut.south) points = cutAt(points, 1, cut.south, 1)
  if (box.north > cut.north) points = cutAt(points, 1, cut.north, -1)
  return points
}

/** The points of a ring. Of a line beyond one side of the box only the ends are kept. */
function nearby({ degrees }: Ring, { west, east, south, north }: Box): Point[] {
  const points: Point[] = []
  const sideOf = (at: number) => {
    const [longitude = 0, latitude = 0] = [degrees[at], degrees[at + 1]]
    if (longitude < west) return 1
    if (longitude > east) return 2
    if (latitude < south) return 3
    return latitude > north ? 4 : 0
  }
  let before = 0
  let here = sideOf(0)
  for (let at = 0; at < degrees.length; at += 2) {
    const after = sideOf(at + 2 < degrees.length ? at + 2 : 0)
    if (here === 0 || here !== before || here !== after) {
      points.push([degrees[at] ?? 0, degrees[at + 1] ?? 0])
    }
    before = here
    here = after
  }
  return points
}

/** Cuts off what is before `limit` on an axis, in the direction of `sign`. */
function cutAt(points: readonly Point[], axis: 0 | 1, limit: number, sign: 1 | -1): Point[] {
  const kept: Point[] = []
  let before = points.at(-1)
  for (const point of points) {
    const isInside = (point[axis] - limit) * sign >= 0
    if (before && (before[axis] - limit) * sign >= 0 !== isInside) {
      const share = (limit - before[axis]) / (point[axis] - before[axis])
      const [x, y] = before
      kept.push([x + (point[0] - x) * share, y + (point[1] - y) * share])
    }
    if (isInside) kept.push(point)
    before = point
  }
  return kept
}

function outlineOf(points: readonly Point[], { x, y, kilometresPerUnit }: Projection): string {
  const minStep = kilometresPerUnit > WIDE_KM ? MIN_STEP.wide : MIN_STEP.near
  const line: Point[] = []
  for (const [longitude, latitude] of points) {
    const point: Point = [Math.round(x(longitude)), Math.round(y(latitude))]
    const last = line.at(-1)
    if (last && Math.hypot(point[0] - last[0], point[1] - last[1]) < minStep) continue
    const back = line.at(-2)
    // A line to a point and back is not visible.
    if (back?.[0] === point[0] && back[1] === point[1]) line.pop()
    else line.push(point)
  }
  const size = Math.max(extent(line.map(([atX]) => atX)), extent(line.map(([, atY]) => atY)))
  return line.length > 2 && size >= MIN_ISLAND ? pathOf(line) : ''
}

/** Each point relative to the one before. */
function pathOf(line: readonly Point[]): string {
  const steps = line.slice(1).map(([x, y], index) => {
    const [lastX, lastY] = line[index] ?? [0, 0]
    return `${x - lastX} ${y - lastY}`
  })
  return `M${line[0]?.join(' ')}l${steps.join(' ')}z`.replaceAll(' -', '-')
}
