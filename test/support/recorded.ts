import { readFileSync, writeFileSync } from 'node:fs'

/** Set to re-record the answers that pages show: `RECORD=1 npm test -- <file>`. */
const isRecording = process.env.RECORD !== undefined

/**
 * The names and types in a value, which must stay equal; those of a list's items are merged. Null
 * and an empty list say nothing about possible contents.
 */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? 'list' : [shapeOf(value[0])]
  if (value === null || typeof value !== 'object') return typeof value
  const entries = Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)])
  return Object.fromEntries(entries)
}

/** The file at `address`, or, when recording, `value` written to it. */
export function recordedAt<T>(address: URL, value: T): T {
  if (isRecording) writeFileSync(address, `${JSON.stringify(value, null, 2)}\n`)
  return JSON.parse(readFileSync(address, 'utf8'))
}
