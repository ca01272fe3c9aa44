import type { Box } from './coast.ts'

export type Place = { latitude: number; longitude: number }

/** Where a place is on a drawing of `width` × `height` units, and what the drawing shows of the world. */
export type Projection = {
  width: number
  height: number
  box: Box
  x(longitude: number): number
  y(latitude: number): number
  kilometresPerUnit: number
}

/** Mercator has no poles. */
const MOST_NORTHERN = 80
const KM_PER_DEGREE = 111.32
const RADIAN = Math.PI / 180

const mercator = (latitude: number) =>
  Math.asinh(Math.tan(Math.max(-MOST_NORTHERN, Math.min(MOST_NORTHERN, latitude)) * RADIAN)) /
  RADIAN
const inverse = (y: number) => Math.atan(Math.sinh(y * RADIAN)) / RADIAN

/**
 * Mercator around these places, at least one: with room at the edges, and never closer than `smallest` degrees from side to side, where
 * the coastline would be drawn finer than it is known.
 */
export function projectionAround(
  places: readonly Place[],
  { width, height, smallest }: { width: number; height: number; smallest: number },
): Projection {
  const xs = places.map(({ longitude }) => longitude)
  const ys = places.map(({ latitude }) => mercator(latitude))
  const margin = 1.3
  const span = (values: readonly number[]) => Math.max(...values) - Math.min(...values)
  const middle = (values: readonly number[]) => (Math.max(...values) + Math.min(...values)) / 2
  const degreesPerUnit = Math.max(
    smallest / width,
    (span(xs) * margin) / width,
    (span(ys) * margin) / height,
  )
  const west = middle(xs) - (degreesPerUnit * width) / 2
  const top = middle(ys) + (degreesPerUnit * height) / 2
  const bottom = top - degreesPerUnit * height
  return {
    width,
    height,
    box: {
      west,
      east: west + degreesPerUnit * width,
      north: inverse(top),
      south: inverse(bottom),
    },
    x: (longitude) => (longitude - west) / degreesPerUnit,
    y: (latitude) => (top - mercator(latitude)) / degreesPerUnit,
    kilometresPerUnit: degreesPerUnit * KM_PER_DEGREE * Math.cos(inverse(middle(ys)) * RADIAN),
  }
}
