import type { Histogram } from './histogram.ts'
import type { Violation } from './invariants.ts'

const WIDTH = 48

export const line = (what: string, how: string): string => `  ${what.padEnd(WIDTH)} ${how}`

export const number = (value: number): string => value.toLocaleString('en-US')

/** Violations with a few example rows. */
export function violationLines(violations: readonly Violation[]): string[] {
  return violations.flatMap(({ name, count, rows }) => [
    `  BROKEN ${name}: ${number(count)}`,
    ...rows.map((row) => `         ${format(row)}`),
  ])
}

const MAX_ROW_LENGTH = 300

const format = (row: unknown) =>
  (typeof row === 'string' ? row : JSON.stringify(row).slice(0, MAX_ROW_LENGTH)).trimEnd()

/** Outcomes, most frequent first. */
export const outcomeLines = (outcomes: Histogram): string[] =>
  [...outcomes]
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, times]) => `    ${number(times).padStart(8)}  ${what}`)

const INTERVAL_MS = 5_000

/** Prints progress every few seconds, timed from the first call. */
export function openProgress(what: string, total: number): (done: number) => void {
  let started = 0
  let printedAt = 0
  return (done) => {
    const now = performance.now()
    if (started === 0) {
      started = now
      printedAt = now
    }
    if (now - printedAt < INTERVAL_MS) return
    printedAt = now
    const perSecond = (done / (now - started)) * 1000
    console.log(`  … ${what}: ${number(done)} of ${number(total)}, ${perSecond.toFixed(0)}/s`)
  }
}
