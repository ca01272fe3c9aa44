import { openSync, readFileSync, renameSync, statSync } from 'node:fs'

const ROTATE_AT_BYTES = 20_000_000

/**
 * Opens a log for appending. One that has grown past 20 MB becomes `….1` first, replacing the one
 * before.
 */
export function openLogFile(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > ROTATE_AT_BYTES) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

/** The last lines of a log, for the message about a server that failed. */
export function logTail(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-4).join('\n')
}
