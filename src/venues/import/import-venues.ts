import { type AreaRow, selectAreas } from '../../availability/store/areas.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import {
  beginImport,
  countLeftOut,
  insertImportRows,
  settleSearchIndex,
  undoImport,
  updateSlotCounters,
} from '../store/import-run.ts'
import { selectVenuesByKey, type VenueKey } from '../store/venue-content.ts'
import { applyBatch, type WantedRow } from './apply-batch.ts'
import type { FileRow } from './file-rows.ts'
import { type ReadRecord, readVenue } from './read-venue.ts'
import { type Counts, noCounts, type Say } from './report.ts'

export type ImportOptions = {
  /** for rows that do not name one */
  source: string
  /** loads nothing if a row is refused */
  isStrict: boolean
  /** reports and changes nothing */
  isDryRun: boolean
  at: Date
  /** adds what venues need, such as areas; rolled back with the rest */
  prepare(tx: Db): Promise<void>
}

/** Limits of a batch, which is held in memory. */
const MAX_ROWS = 500
const MAX_CHARACTERS = 4 * 1024 * 1024

/** Loads the rows of a file in one transaction. `progress` gets the number of rows read. */
export async function importVenues(
  db: Pool,
  rows: AsyncIterable<FileRow>,
  options: ImportOptions,
  say: Say,
  progress: (rows: number) => void,
): Promise<Counts> {
  return transaction(db, async (tx) => {
    if (!(await beginImport(tx))) {
      throw new Error('Another import is running. Try again when it has ended.')
    }
    await options.prepare(tx)
    const run = { tx, areas: await selectAreas(tx), options, say, counts: noCounts() }
    await loadRows(run, rows, progress)
    run.counts.leftOut = await countLeftOut(tx)
    if (options.isDryRun || isRefused(options, run.counts)) {
      await undoImport(tx)
    } else {
      await settleSearchIndex(tx)
      await updateSlotCounters(tx, options.at)
    }
    return run.counts
  })
}

/** Reads the next batch while PostgreSQL works on the one before. */
async function loadRows(
  run: Run,
  rows: AsyncIterable<FileRow>,
  progress: (rows: number) => void,
): Promise<void> {
  let read = 0
  let loading = Promise.resolve()
  try {
    for await (const batch of inBatches(rows)) {
      const judged = batch.map((row) => judge(row, run.areas, run.options.source))
      await loading
      loading = loadBatch(run, judged)
      // Awaited in the next turn; until then a failure must not end the process.
      loading.catch(() => {})
      read += batch.length
      progress(read)
    }
    await loading
  } finally {
    // No statement may follow the end of the transaction.
    await Promise.allSettled([loading])
  }
}

/** Whether a refused row kept out all others. */
export const isRefused = ({ isStrict }: { isStrict: boolean }, { refused }: Counts): boolean =>
  isStrict && refused > 0

async function* inBatches(rows: AsyncIterable<FileRow>): AsyncGenerator<FileRow[]> {
  let batch: FileRow[] = []
  let characters = 0
  for await (const row of rows) {
    batch.push(row)
    characters += row.size
    if (batch.length < MAX_ROWS && characters < MAX_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

type Run = { tx: Db; areas: AreaRow[]; options: ImportOptions; say: Say; counts: Counts }
type Judged = FileRow & { read: ReadRecord }

const judge = (row: FileRow, areas: readonly AreaRow[], source: string): Judged => ({
  ...row,
  read: 'problem' in row ? { problem: row.problem } : readVenue(row.value, areas, source),
})

async function loadBatch({ tx, options, say, counts }: Run, judged: readonly Judged[]) {
  const firstRows = await rowsByKey(tx, judged)
  const wanted: WantedRow[] = []
  for (const row of judged) {
    const problem = 'problem' in row.read ? row.read.problem : repeats(row, firstRows)
    if (problem !== undefined) {
      counts.refused += 1
      say({ ...row, name: row.read.name }, 'refused', problem)
    } else if ('value' in row.read) {
      wanted.push({ ...row, wanted: row.read.value, notes: row.read.notes })
    }
  }
  const keys = wanted.map(({ wanted }) => wanted)
  const known = await selectVenuesByKey(tx, keys)
  const venues = new Map(known.map(({ venue, ...key }) => [textOf(key), venue]))
  const rows = wanted.map((row) => ({ ...row, current: venues.get(textOf(row.wanted)) }))
  await applyBatch(tx, rows, options, say, counts)
}

const textOf = ({ source, external_id }: VenueKey) => `${source}\n${external_id}`

async function rowsByKey(tx: Db, judged: readonly Judged[]): Promise<Map<string, number>> {
  const keyed = judged.flatMap(({ row, read }) => (read.key ? [{ ...read.key, row }] : []))
  const first = await insertImportRows(tx, keyed)
  return new Map(first.map(({ row, ...key }) => [textOf(key), row]))
}

function repeats({ row, read }: Judged, firstRows: Map<string, number>): string | undefined {
  const first = read.key && firstRows.get(textOf(read.key))
  if (first === undefined || first === row) return undefined
  return `id: ${read.key?.external_id} is already in row ${first}; every venue needs its own id`
}
