import type { Pool } from '../../src/platform/database/sql.ts'
import { exportVenues } from '../../src/venues/import/export-venues.ts'
import { type Format, rowsOf } from '../../src/venues/import/file-rows.ts'
import { type ImportOptions, importVenues } from '../../src/venues/import/import-venues.ts'
import { type Counts, sayTo } from '../../src/venues/import/report.ts'

/** A text that arrives a few characters at a time, as through a slow pipe. */
export async function* inParts(text: string, length = 1_000): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

/** Every item of an iterable. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

export type Loaded = Counts & { lines: string[] }

/** Imports a text as the command does and returns its report. */
export async function load(
  db: Pool,
  text: string,
  format: Format = 'csv',
  options: Partial<ImportOptions> = {},
): Promise<Loaded> {
  const lines: string[] = []
  const counts = await importVenues(
    db,
    rowsOf(inParts(text), format),
    {
      source: 'test',
      isStrict: false,
      isDryRun: false,
      at: new Date(),
      ...options,
    },
    sayTo((line) => lines.push(line)),
    () => {},
  )
  return { ...counts, lines }
}

/** An export as a single text. */
export async function dump(db: Pool, format: Format, source?: string): Promise<string> {
  let text = ''
  await exportVenues(db, { format, source }, async (part) => {
    text += part
  })
  return text
}
