import { migrate } from '../platform/database/migrate.ts'
import { openPool } from '../platform/database/sql.ts'
import { loadDemoVenues } from '../venues/demo/load.ts'
import { countVenues } from '../venues/store/venue-count.ts'
import { withProgress } from './progress.ts'

/** Brings a local database to today's schema, and gives one without venues those of the demo. */
export async function prepareDatabase(url: string): Promise<void> {
  await withProgress('Bringing the database up to date', migrate(url))
  const db = openPool(url, 1, () => {})
  try {
    if ((await countVenues(db)) > 0) return
    await withProgress('Loading the demo venues', loadDemoVenues(db, new Date()))
  } finally {
    await db.end()
  }
}
