import { writeFileSync, writeSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { durationsFile } from './longest-first.ts'

const root = resolve(import.meta.dirname, '../..')
/** Files that take less time than this are not listed. */
const MIN_MS = 5_000

/** Prints `N passed, N failed` (and `, N skipped`) last. Errors outside a test count as failed. */
export default class PlainLineReporter implements Reporter {
  counts = { passed: 0, failed: 0, skipped: 0 }

  onInit(): void {
    process.once('exit', (code) => {
      const { passed, skipped } = this.counts
      const failed = this.counts.failed || Number(code !== 0)
      const more = skipped > 0 ? `, ${skipped} skipped` : ''
      writeSync(1, `${passed} passed, ${failed} failed${more}\n`)
    })
  }

  onTestRunEnd(
    modules: ReadonlyArray<TestModule>,
    unhandledErrors: ReadonlyArray<SerializedError>,
  ): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      counts.failed += module.errors().length
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'pending') counts.skipped += 1
        else counts[state] += 1
      }
    }
    this.counts = counts
    if (process.env.RECORD_DURATIONS) recordDurations(modules)
  }
}

/** Determines the order of later runs. */
function recordDurations(modules: ReadonlyArray<TestModule>): void {
  const seconds = modules
    .filter((module) => module.diagnostic().duration >= MIN_MS)
    .map((module) => [
      relative(root, module.moduleId),
      Math.round(module.diagnostic().duration / 1000),
    ])
    .toSorted()
  writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(seconds), null, 2)}\n`)
}
