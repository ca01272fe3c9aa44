import { open, rename, rm } from 'node:fs/promises'
import { counted } from '../base/counted.ts'
import type { Pool } from '../platform/database/sql.ts'
import { exportVenues } from '../venues/import/export-venues.ts'
import type { Format } from '../venues/import/file-rows.ts'

type ExportCommand = { format: Format; source: string | undefined; out: string | undefined }

/** Writes venues to stdout or to a file; the file is written completely or not at all. */
export async function exportFile(db: Pool, command: ExportCommand): Promise<string | undefined> {
  const { out } = command
  if (out === undefined) {
    await exportVenues(db, command, writeToStdout)
    return undefined
  }
  const unfinished = `${out}.unfinished`
  const file = await open(unfinished, 'w')
  try {
    const count = await exportVenues(db, command, (text) => file.writeFile(text))
    await file.close()
    await rename(unfinished, out)
    return `${out} has ${counted(count, 'venue')}.`
  } catch (error) {
    await file.close().catch(() => {})
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Waits for the reader, so that nothing piles up in memory. */
function writeToStdout(text: string): Promise<void> {
  return new Promise((resolve, failed) => {
    process.stdout.once('error', failed)
    process.stdout.write(text, (error) => {
      process.stdout.off('error', failed)
      if (error) failed(error)
      else resolve()
    })
  })
}
