import { z } from 'zod'
import { type Db, queryRow } from '../../platform/database/sql.ts'

const countRow = z.object({ venues: z.int() })

/** The number of venues; an empty network gets the demo venues. */
export async function countVenues(db: Db): Promise<number> {
  const { venues } = await queryRow(db, countRow)`select count(*) as venues from venue
    where not is_test`
  return venues
}
