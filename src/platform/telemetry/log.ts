import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Logs JSON lines, each with the `ids` of the current trace. Redacts headers that carry keys. */
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

/** An error for the log, without the values that drivers attach. */
export function loggable(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error ? { code: String(error.code) } : {}
  return { type: error.name, message: error.message, stack: error.stack, ...code }
}
