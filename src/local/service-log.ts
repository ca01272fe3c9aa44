import { pino } from 'pino'
import { createLog, type Log } from '../platform/telemetry/log.ts'
import { openLogFile } from './log-files.ts'

const { fatal } = pino.levels.values

/**
 * The log of `npm start`: JSON lines in a file; warnings and errors also as short lines on stderr.
 */
export function openServiceLog(
  file: string,
  level: string,
  ids?: () => Record<string, string>,
): Log {
  const destination = pino.destination({ dest: openLogFile(file), sync: true })
  return createLog(
    level,
    pino.multistream([
      { level: 'debug', stream: destination },
      { level: 'warn', stream: { write: writeShortLine } },
    ]),
    ids,
  )
}

/** A fatal line is for the file: the process says itself why it ends. */
function writeShortLine(line: string): void {
  const { level, msg, err } = JSON.parse(line)
  if (level === fatal) return
  const reason = err?.message && err.message !== msg ? `: ${err.message}` : ''
  console.error(`${pino.levels.labels[level]}: ${msg}${reason}`)
}
