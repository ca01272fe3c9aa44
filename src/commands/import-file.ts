import { access } from 'node:fs/promises'
import { counted } from '../base/counted.ts'
import { withProgress } from '../local/progress.ts'
import type { Pool } from '../platform/database/sql.ts'
import { areaReader } from '../venues/import/area-records.ts'
import { type Format, rowsOf, textOf } from '../venues/import/file-rows.ts'
import { importAreas } from '../venues/import/import-areas.ts'
import { importVenues, isRefused } from '../venues/import/import-venues.ts'
import { sayTo, summary } from '../venues/import/report.ts'
import { noChannelWarnings } from './no-channel-warning.ts'

type ImportCommand = {
  file: string
  format: Format
  source: string
  isStrict: boolean
  isDryRun: boolean
}

/** Loads a file of finer areas and landmarks, prints refusals, and returns the summary. */
export async function importAreaFile(db: Pool, file: string, format: Format): Promise<string> {
  const counts = await importAreas(
    db,
    rowsOf(textOf(file), format, areaReader),
    sayTo((line) => console.log(line)),
  )
  if (counts.refused > 0) process.exitCode = 1
  const { areas, landmarks, moved, refused } = counts
  return (
    `${counted(areas, 'area')}, ${counted(landmarks, 'landmark')}, ${refused} refused; ` +
    `${counted(moved, 'venue')} moved into these areas. A running service knows them within a ` +
    'minute.'
  )
}

/** Loads a file, prints refusals and notes, and returns the summary. */
export async function importFile(db: Pool, command: ImportCommand, at: Date): Promise<string> {
  const { file, format, isStrict, isDryRun } = command
  await access(file).catch(() => {
    throw new Error(`There is no file ${file} that can be read.`)
  })
  let rowCount = 0
  const counts = await withProgress(
    `Reading ${file}`,
    importVenues(
      db,
      rowsOf(textOf(file), format),
      { ...command, at },
      sayTo((line) => console.log(line)),
      (rows) => {
        rowCount = rows
      },
    ),
    () => counted(rowCount, 'row'),
  )
  if (counts.refused > 0) process.exitCode = 1
  if (isDryRun) return summary(counts, 'dry run')
  if (isRefused({ isStrict }, counts)) return summary(counts, 'nothing loaded')
  return [summary(counts, 'loaded'), ...(await noChannelWarnings(db))].join('\n')
}
