import { openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { pino } from 'pino'
import { createLog, type Log } from '../platform/telemetry/log.ts'

const ROTATE_AT_BYTES = 20_000_000

/** Opens a log for appending; one over 20 MB is first renamed to `….1`. */
export function openLogFile(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > ROTATE_AT_BYTES) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

/** The last lines of a log, for the error message of a server that failed. */
export const logTail = (file: string): string =>
  readFileSync(file, 'utf8').trimEnd().split('\n').slice(-4).join('\n')

/** After this delay a server's end is known, and errors of its clients need not be shown. */
const SHOW_AFTER_MS = 200

/**
 * The log of `npm start`: JSON lines in a file and, unless `isRecovering`, warnings and errors in
 * short form on stderr.
 */
export function openServiceLog(
  file: string,
  level: string,
  ids?: () => Record<string, string>,
  isRecovering = () => false,
): Log {
  const destination = pino.destination({ dest: openLogFile(file), sync: true })
  const show = (line: string) => {
    if (!isRecovering()) writeShortLine(line)
  }
  const write = (line: string) => void setTimeout(show, SHOW_AFTER_MS, line).unref()
  const streams = pino.multistream([
    { level: 'debug', stream: destination },
    { level: 'warn', stream: { write } },
  ])
  return createLog(level, streams, ids)
}

/** Omits fatal lines: the process itself prints why it ends. */
function writeShortLine(line: string): void {
  const { level, msg, err } = JSON.parse(line)
  if (level === pino.levels.values.fatal) return
  const reason = err?.message && err.message !== msg ? `: ${err.message}` : ''
  console.error(`${pino.levels.labels[level]}: ${msg}${reason}`)
}
