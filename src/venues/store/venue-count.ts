import { int } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** The number of venues ever added; a network without any gets the demo venues. */
export const countVenues = (db: Db): Promise<number> =>
  query.value(db, int)`select count(*) from venue where is_test is not true`
