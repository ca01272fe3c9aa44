import { z } from 'zod'
import { type Db, queryRow } from '../../platform/database/sql.ts'

const countRow = z.object({ venues: z.int() })

/** The number of venues ever added; a network without any gets the demo venues. */
export async function countVenues(db: Db): Promise<number> {
  const { venues } = await queryRow(db, countRow)`select count(*) as venues from venue
    where is_test is not true`
  return venues
}
