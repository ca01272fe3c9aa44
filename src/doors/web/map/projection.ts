import type { LatLng } from '../../../venues/store/venue-scopes.ts'
import type { Box } from './coast.ts'

/** The position of points on a drawing, and the part of the world that it shows. */
export type Projection = {
  width: number
  height: number
  box: Box
  x(longitude: number): number
  y(latitude: number): number
  kilometresPerUnit: number
}

/** Mercator has no poles. */
const MAX_LATITUDE = 80
const KM_PER_DEGREE = 111.32
const RADIAN = Math.PI / 180
const MARGIN = 1.3
/** Sizes of drawings to a doubling, and positions to a drawing: near ones share their coastline. */
const SIZES = 4
const POSITIONS = 8

const mercator = (latitude: number) =>
  Math.asinh(Math.tan(Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * RADIAN)) / RADIAN
const inverse = (y: number) => Math.atan(Math.sinh(y * RADIAN)) / RADIAN

/** The difference between the largest and the smallest value. */
export const extent = (values: readonly number[]) => Math.max(...values) - Math.min(...values)
const middle = (values: readonly number[]) => (Math.max(...values) + Math.min(...values)) / 2

/**
 * Mercator around at least one point, with a margin. The drawing is at least `smallest` degrees
 * wide: the coastline has no finer detail.
 */
export function projectionAround(
  points: readonly LatLng[],
  { width, height, smallest }: { width: number; height: number; smallest: number },
): Projection {
  const xs = points.map(({ longitude }) => longitude)
  const ys = points.map(({ latitude }) => mercator(latitude))
  const least = smallest / width
  const needed = Math.max(least, (extent(xs) * MARGIN) / width, (extent(ys) * MARGIN) / height)
  const degreesPerUnit = least * 2 ** (Math.ceil(Math.log2(needed / least) * SIZES) / SIZES)
  const cornerOf = (centre: number, size: number) => {
    const step = (size * degreesPerUnit) / POSITIONS
    return (Math.round(centre / step) - POSITIONS / 2) * step
  }
  const west = cornerOf(middle(xs), width)
  const top = cornerOf(middle(ys), height) + degreesPerUnit * height
  const north = inverse(top)
  const south = inverse(top - degreesPerUnit * height)
  return {
    width,
    height,
    box: { west, east: west + degreesPerUnit * width, north, south },
    x: (longitude) => (longitude - west) / degreesPerUnit,
    y: (latitude) => (top - mercator(latitude)) / degreesPerUnit,
    kilometresPerUnit: degreesPerUnit * KM_PER_DEGREE * Math.cos(inverse(middle(ys)) * RADIAN),
  }
}
