import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** The path of a program in the user's cache folder, which all projects and runs share. */
export const cachedProgram = (name: string): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'venue-network', 'bin', name)

/**
 * Puts a program at `file`, complete or not at all. `make` works in a folder beside it and answers
 * where the program is; the folder goes away even when the process is told to stop.
 */
export async function keepProgram(
  file: string,
  make: (folder: string) => Promise<string>,
): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  const folder = mkdtempSync(`${file}-`)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    renameSync(await make(folder), file)
  } finally {
    process.off('exit', remove)
    remove()
  }
}
