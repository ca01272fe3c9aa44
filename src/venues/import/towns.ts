import { readFileSync } from 'node:fs'
import { plainWords } from '../../base/plain-text.ts'
import { KM_PER_DEGREE } from '../search/places.ts'
import { countryCurrencies } from '../search/world-places.ts'
import type { LatLng } from '../store/venue-scopes.ts'

/** A town of the gazetteer; its names are plain words, including local spellings. */
export type Town = LatLng & {
  name: string
  names: readonly string[]
  region: string | null
  country: string
  people: number
  /** whether it belongs to a larger town, as Kreuzberg to Berlin */
  isPart: boolean
}

/** No venue is further than this from its town. */
export const TOWN_KM = 50
/** A hamlet is preferred only if no town is this near. */
const HAMLET_KM = 15
const HAMLET_PEOPLE = 500

/** How far a town extends, as in tools/search-data/build.py. */
const reachOf = ({ people }: Town) => Math.max(1, 0.35 * Math.sqrt(people / 1000))

/** The town that a point is in: the nearest, for its size; undefined if none is near. */
export function townAt(point: LatLng): Town | undefined {
  let best: { town: Town; km: number; share: number } | undefined
  let nearest: { town: Town; km: number } | undefined
  for (const { town, km } of townsAround(point)) {
    if (!nearest || km < nearest.km) nearest = { town, km }
    if (town.people < HAMLET_PEOPLE || town.isPart) continue
    const share = km / reachOf(town)
    if (!best || share < best.share) best = { town, km, share }
  }
  if (best && best.km <= HAMLET_KM) return best.town
  return nearest && nearest.km < (best?.km ?? TOWN_KM) / 2 ? nearest.town : best?.town
}

/** The towns with this name near a point, nearest first. */
export function townsNamed(name: string, point: LatLng): Town[] {
  const plain = plainWords(name).join(' ')
  return [...townsAround(point)]
    .filter(({ town: { names, region } }) => names.includes(plain) || region === name)
    .sort((one, other) => one.km - other.km)
    .map(({ town }) => town)
}

const CELLS_PER_DEGREE = 2
const KM_PER_CELL = KM_PER_DEGREE / CELLS_PER_DEGREE
const AROUND = 360 * CELLS_PER_DEGREE

const cellOf = (latitude: number, longitude: number) =>
  latitude * 10_000 + ((longitude + AROUND) % AROUND)

/** Towns by cell; the lines of a cell are read when a point is near. */
let cells: Map<number, Town[] | string[]> | undefined

/** The towns within `TOWN_KM` of a point, with their distances. */
function* townsAround({ latitude, longitude }: LatLng): Generator<{ town: Town; km: number }> {
  const [row, column] = [latitude, longitude].map(cellAt) as [number, number]
  const shrunk = Math.max(0.05, Math.cos((latitude * Math.PI) / 180))
  const wide = Math.ceil(TOWN_KM / KM_PER_CELL / shrunk)
  for (let north = -1; north <= 1; north += 1) {
    for (let aside = -wide; aside <= wide; aside += 1) {
      for (const town of townsIn(cellOf(row + north, column + aside))) {
        const east = (((town.longitude - longitude + 540) % 360) - 180) * shrunk
        const km = KM_PER_DEGREE * Math.sqrt((town.latitude - latitude) ** 2 + east ** 2)
        if (km <= TOWN_KM) yield { town, km }
      }
    }
  }
}

const cellAt = (degrees: number) => Math.floor(degrees * CELLS_PER_DEGREE)

function townsIn(cell: number): readonly Town[] {
  cells ??= readCells()
  const towns = cells.get(cell) ?? []
  if (isRead(towns)) return towns
  const read = readTowns(towns)
  cells.set(cell, read)
  return read
}

const isRead = (towns: Town[] | string[]): towns is Town[] => typeof towns[0] !== 'string'

/** The lines of `places.tsv` by cell. Parsing all 120,000 would take ten times as long. */
function readCells(): Map<number, string[]> {
  const file = new URL('../search/data/places.tsv', import.meta.url)
  const found = new Map<number, string[]>()
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const start = line.indexOf('\t') + 4
    const [latitude = 0, longitude = 0] = line
      .slice(start, start + 16)
      .split('\t', 2)
      .map(Number.parseFloat)
    const cell = cellOf(cellAt(latitude), cellAt(longitude))
    const lines = found.get(cell)
    if (lines) lines.push(line)
    else found.set(cell, [line])
  }
  return found
}

/** Merges lines of `places.tsv`, each of which is one name of a town. */
function readTowns(lines: readonly string[]): Town[] {
  const towns = new Map<string, Town & { names: string[] }>()
  for (const line of lines) {
    const [key = '', country = '', latitude, longitude, people, kind, spelling, region] =
      line.split('\t')
    if ((kind && kind !== 'part') || !countryCurrencies.has(country)) continue
    const name = spelling || key.replace(/(^| )[a-z]/g, (letter) => letter.toUpperCase())
    const id = `${country} ${latitude} ${longitude} ${name}`
    const town = towns.get(id)
    if (town) {
      town.names.push(key)
      town.region ??= region || null
      continue
    }
    towns.set(id, {
      name,
      names: [key],
      country,
      region: region || null,
      latitude: Number(latitude),
      longitude: Number(longitude),
      people: Number(people || 0),
      isPart: kind === 'part',
    })
  }
  return [...towns.values()]
}
