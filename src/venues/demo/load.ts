import { insertAreas } from '../../availability/store/areas.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import { uuidOf } from '../../platform/database/uuid-of.ts'
import { selectDemoVenues, staffVenues } from '../store/demo-venues.ts'
import { insertAreaExceptions, insertVenues } from '../store/new-venues.ts'
import { demoAreas, demoVenues } from './venues.ts'

/** Bali's day of silence: nothing opens and nobody is on the streets. */
const NYEPI = { date: '2027-03-08', windows: [], reason: 'Nyepi, the Balinese day of silence' }

/** Adds missing demo areas and venues in one transaction; returns how many. */
export const loadDemoVenues = (db: Pool, at: Date) =>
  transaction(db, async (tx) => {
    const areas = await loadAreas(tx)
    const venues = await insertVenues(tx, demoVenues(), at)
    return { venues, areas }
  })

/** Adds missing areas and returns how many. Adds the day of silence only if it adds areas. */
async function loadAreas(tx: Db): Promise<number> {
  const areas = await insertAreas(tx, demoAreas)
  if (areas === 0) return 0
  const balinese = demoAreas.filter(({ city }) => city === 'Bali')
  const closures = balinese.map(({ slug }) => {
    const id = uuidOf(`exception/${slug}/${NYEPI.date}`)
    return { ...NYEPI, id, area_slug: slug }
  })
  await insertAreaExceptions(tx, closures)
  return areas
}

const ONE_IN = 12
/** Odd, so that none of these venues has its own booking system. */
const OFFSET = 5

/** Switches one in twelve demo venues to confirmation by people; returns them. */
export async function staffDemoVenues(db: Db) {
  const venues = await selectDemoVenues(db, ONE_IN, OFFSET)
  const ids = venues.map(({ id }) => id)
  await staffVenues(db, ids)
  return venues
}
