import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/**
 * JSON lines, one per decision, with ids; `ids` are added to each, as those of the running trace. Headers that carry keys
 * never reach a line.
 */
export function createLog(
  level: string,
  destination?: DestinationStream,
  ids: () => Record<string, string> = () => ({}),
): Log {
  const options = {
    level,
    base: null,
    mixin: ids,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['req.headers.authorization', '*.authorization'], censor: '[redacted]' },
  }
  return destination ? pino(options, destination) : pino(options)
}
