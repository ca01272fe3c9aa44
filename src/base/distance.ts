type Point = { latitude: number; longitude: number }

const EARTH_KM = 6371

/** Along a great circle (haversine). */
export function kilometres(one: Point, other: Point): number {
  const radians = (degrees: number) => degrees * (Math.PI / 180)
  const north = Math.sin(radians(one.latitude - other.latitude) / 2)
  const east = Math.sin(radians(one.longitude - other.longitude) / 2)
  const shrunk = Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude))
  return 2 * EARTH_KM * Math.asin(Math.sqrt(north ** 2 + shrunk * east ** 2))
}

/** A distance as answers show it. */
export const shownKm = (one: Point, other: Point): number =>
  Math.round(kilometres(one, other) * 10) / 10
