import type { Db } from '../../platform/database/sql.ts'
import { selectDemoVenues, staffVenues } from '../store/demo-venues.ts'

const ONE_IN = 12
/** An odd place among twelve, so that none of them is one of the venues with a system of their own. */
const PLACE = 5

/** Has people confirm at one in twelve demo venues; answers the slug of the first. */
export async function staffDemoVenues(db: Db): Promise<string | undefined> {
  const venues = await selectDemoVenues(db, ONE_IN, PLACE)
  await staffVenues(
    db,
    venues.map(({ id }) => id),
  )
  return venues[0]?.slug
}
