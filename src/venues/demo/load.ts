import { insertAreas } from '../../availability/store/areas.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import { insertAreaExceptions, insertVenues } from '../store/new-venues.ts'
import { uuidOf } from './draws.ts'
import { demoAreas } from './regions.ts'
import { demoVenues } from './venues.ts'

/** Bali's day of silence: nothing opens and nobody is on the streets. */
const NYEPI = [{ date: '2027-03-08', reason: 'Nyepi, the Balinese day of silence' }]

/** Adds the demo areas and venues that are not there yet, in one transaction; answers how many were added. */
export async function loadDemoVenues(
  db: Pool,
  at: Date,
): Promise<{ venues: number; areas: number }> {
  return transaction(db, async (tx) => {
    const areas = await loadAreas(tx)
    const venues = await insertVenues(tx, demoVenues(), at)
    return { venues, areas }
  })
}

/**
 * Adds the areas that are not there yet, with the days on which all of an area is closed; answers how many areas. Where none is new,
 * the days are those that an operator left.
 */
export async function loadAreas(tx: Db): Promise<number> {
  const areas = await insertAreas(tx, demoAreas)
  if (areas > 0) await insertAreaExceptions(tx, nyepiClosures())
  return areas
}

const nyepiClosures = () =>
  demoAreas
    .filter(({ city }) => city === 'Bali')
    .flatMap(({ slug }) =>
      NYEPI.map(({ date, reason }) => {
        const id = uuidOf(`exception/${slug}/${date}`)
        return { id, area_slug: slug, date, windows: [], reason }
      }),
    )
