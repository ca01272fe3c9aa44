import { type AreaRow, insertAreas, selectAreas } from '../../availability/store/areas.ts'
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
import { type Areas, areasOf } from './areas.ts'
import type { FileRow } from './file-rows.ts'
import { type ReadRecord, readVenue } from './read-venue.ts'
import { type Counts, noCounts, type Say } from './report.ts'

export type ImportOptions = {
  /** the source of rows that name none */
  source: string
  /** loads nothing if any row is refused */
  isStrict: boolean
  /** reports without changing anything */
  isDryRun: boolean
  at: Date
}

/** Limits on a batch, which is held in memory. */
const MAX_ROWS = 500
const MAX_CHARACTERS = 4 * 1024 * 1024

/** Loads the rows of a file in one transaction. `progress` receives the number of rows read. */
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
    const run = { tx, areas: areasOf(await selectAreas(tx)), options, say, counts: noCounts() }
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

/** Reads the next batch while PostgreSQL works on the previous one. */
async function loadRows(
  run: Run,
  rows: AsyncIterable<FileRow>,
  progress: (rows: number) => void,
): Promise<void> {
  let rowCount = 0
  let loading = Promise.resolve()
  try {
    for await (const batch of inBatches(rows)) {
      const records = batch.map((row) => judge(row, run.areas, run.options.source))
      await loading
      loading = loadBatch(run, records)
      // Awaited in the next iteration; until then a failure must not end the process.
      loading.catch(() => {})
      rowCount += batch.length
      progress(rowCount)
    }
    await loading
  } finally {
    // No statement can be run after the end of the transaction.
    await Promise.allSettled([loading])
  }
}

/** Whether a refused row prevented all the others from loading. */
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

type Run = { tx: Db; areas: Areas; options: ImportOptions; say: Say; counts: Counts }
type ReadRow = FileRow & { record: ReadRecord }

const judge = (row: FileRow, areas: Areas, source: string): ReadRow => ({
  ...row,
  record: 'problem' in row ? { problem: row.problem } : readVenue(row.value, areas, source),
})

async function loadBatch({ tx, options, say, counts }: Run, records: readonly ReadRow[]) {
  const firstRows = await rowsByKey(tx, records)
  const loadable: WantedRow[] = []
  const areas = new Set<AreaRow>()
  for (const row of records) {
    const problem = 'problem' in row.record ? row.record.problem : repeats(row, firstRows)
    if (problem !== undefined) {
      counts.refused += 1
      say({ ...row, name: row.record.name }, 'refused', problem)
    } else if ('value' in row.record) {
      const { area, value: venue, notes } = row.record
      areas.add(area)
      loadable.push({ ...row, venue, notes, town: `${area.name} (${area.country})` })
    }
  }
  await insertAreas(tx, [...areas])
  const keys = loadable.map(({ venue }) => venue)
  const current = await selectVenuesByKey(tx, keys)
  const venues = new Map(current.map(({ venue, ...key }) => [textOf(key), venue]))
  const rows = loadable.map((row) => ({ ...row, current: venues.get(textOf(row.venue)) }))
  await applyBatch(tx, rows, options, say, counts)
}

const textOf = ({ source, external_id }: VenueKey) => `${source}\n${external_id}`

async function rowsByKey(tx: Db, records: readonly ReadRow[]): Promise<Map<string, number>> {
  const keyed = records.flatMap(({ row, record }) => (record.key ? [{ ...record.key, row }] : []))
  const first = await insertImportRows(tx, keyed)
  return new Map(first.map(({ row, ...key }) => [textOf(key), row]))
}

function repeats({ row, record }: ReadRow, firstRows: Map<string, number>): string | undefined {
  const first = record.key && firstRows.get(textOf(record.key))
  if (first === undefined || first === row) return undefined
  return `id: ${record.key?.external_id} is already in row ${first}; every venue needs its own id`
}
