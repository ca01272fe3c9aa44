import { readFileSync } from 'node:fs'
import { type AreaRow, insertAreas } from '../../src/availability/store/areas.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { areasOf } from '../../src/venues/import/areas.ts'

const PLACES = new URL('../../src/venues/search/data/places.tsv', import.meta.url)
const TOWN_PEOPLE = 60_000

/** Adds towns of the gazetteer as areas, in the order of their names; returns their names. */
export async function addTowns(db: Pool, count: number): Promise<string[]> {
  const towns = areasOf([])
  const found = new Map<string, AreaRow>()
  for (const line of readFileSync(PLACES, 'utf8').trimEnd().split('\n')) {
    const [, , latitude, longitude, people, kind] = line.split('\t')
    if (kind || Number(people) < TOWN_PEOPLE) continue
    const area = towns.find(undefined, { latitude: Number(latitude), longitude: Number(longitude) })
    if (!('problem' in area)) found.set(area.slug, area)
    if (found.size === count) break
  }
  await insertAreas(db, [...found.values()])
  return [...found.values()].map(({ name }) => name)
}
