import { readTable } from './read-table.ts'

/** A place to search near: its names (the first is displayed), position and area slug. */
export type Landmark = {
  names: readonly string[]
  area: string
  latitude: number
  longitude: number
}

/** Landmarks in the demo network's areas. Leaves out landmarks whose area is missing. */
export const landmarks: readonly Landmark[] = readTable(
  'landmarks.tsv',
  ([names = '', area = '', latitude, longitude]) => ({
    names: names.split(', '),
    area,
    latitude: Number(latitude),
    longitude: Number(longitude),
  }),
)
