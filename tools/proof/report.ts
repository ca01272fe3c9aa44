import type { Histogram } from './histogram.ts'
import type { Violation } from './invariants.ts'

const WIDTH = 48

/** One line of the report: what, and how it went. */
export const line = (what: string, how: string): string => `  ${what.padEnd(WIDTH)} ${how}`

export const number = (value: number): string => value.toLocaleString('en-US')

/** Violations by name, with a few of the rows that show them. */
export function violationLines(violations: readonly Violation[]): string[] {
  return violations.flatMap(({ name, count, rows }) => [
    `  BROKEN ${name}: ${number(count)}`,
    ...rows.map((row) => `         ${shown(row)}`),
  ])
}

const LONGEST = 300

const shown = (row: unknown) =>
  (typeof row === 'string' ? row : JSON.stringify(row).slice(0, LONGEST)).trimEnd()

/** How the operations ended, most frequent first. */
export const outcomeLines = (outcomes: Histogram): string[] =>
  [...outcomes]
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, times]) => `    ${number(times).padStart(8)}  ${what}`)

const EVERY_MS = 5_000

/** Says every few seconds how far something is, from its first word on. */
export function openProgress(what: string, total: number): (done: number) => void {
  let started = 0
  let said = 0
  return (done) => {
    const now = performance.now()
    if (started === 0) {
      started = now
      said = now
    }
    if (now - said < EVERY_MS) return
    said = now
    const perSecond = (done / (now - started)) * 1000
    console.log(`  … ${what}: ${number(done)} of ${number(total)}, ${perSecond.toFixed(0)}/s`)
  }
}
