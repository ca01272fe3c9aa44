import { insertAreas } from '../store/areas.ts'
import { insertAreaExceptions, insertVenues } from '../store/new-venues.ts'
import { type Pool, transaction } from '../store/sql.ts'
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
    const areas = await insertAreas(tx, demoAreas)
    const venues = await insertVenues(tx, demoVenues(), at)
    await insertAreaExceptions(tx, nyepiClosures())
    return { venues, areas }
  })
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
