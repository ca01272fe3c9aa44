import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newSealingKey } from '../platform/sealing/sealing-keys.ts'

/** The text of a key file, which is made once with a new key, for its owner only. */
export function readOrMakeKey(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(join(file, '..'), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${newSealingKey()}\n`, { mode: 0o600 })
  try {
    // Whole or not at all, and never over a key that another process has just made.
    linkSync(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished)
  }
  return readFileSync(file, 'utf8')
}
