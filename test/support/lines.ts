import { Writable } from 'node:stream'
import { createLog, type Log } from '../../src/platform/telemetry/log.ts'

/** A log that a test can read: every line so far, parsed or as text. */
export function readableLog(ids?: () => Record<string, string>): {
  log: Log
  lines(): Record<string, any>[]
  text(): string
} {
  const chunks: string[] = []
  const destination = new Writable({
    write(chunk, _, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  const text = () => chunks.join('')
  return {
    log: createLog('debug', destination, ids),
    text,
    lines: () =>
      text()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  }
}
