import { type Pool, transaction } from '../../platform/database/sql.ts'
import { readVenues } from '../store/venue-content.ts'
import { contentOf } from './changes.ts'
import { writings } from './export-formats.ts'
import type { Format } from './file-rows.ts'

const BATCH = 500

/** Exports a snapshot of all venues or of one source; returns their number. Awaits `write`. */
export async function exportVenues(
  db: Pool,
  { format, source }: { format: Format; source?: string | undefined },
  write: (text: string) => Promise<void>,
): Promise<number> {
  const writing = writings[format]
  let count = 0
  await write(writing.begin)
  await transaction(db, (tx) =>
    readVenues(tx, source, BATCH, async (venues) => {
      const texts = venues.map((venue) => writing.venue(contentOf(venue), venue.currency))
      await write((count > 0 ? writing.between : '') + texts.join(writing.between))
      count += venues.length
    }),
  )
  await write(count > 0 ? writing.end : writing.end.trimStart())
  return count
}
