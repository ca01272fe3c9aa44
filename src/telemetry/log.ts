import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** JSON lines, one per decision, with ids. Headers that carry keys never reach a line. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['req.headers.authorization', '*.authorization'], censor: '[redacted]' },
  }
  return destination ? pino(options, destination) : pino(options)
}
