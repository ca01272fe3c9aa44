import { loadDemoVenues } from '../demo/load.ts'
import { migrate } from '../store/migrate.ts'
import { openPool } from '../store/sql.ts'
import { countVenues } from '../store/venue-count.ts'
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
