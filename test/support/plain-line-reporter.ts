import { writeFileSync, writeSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { durationsFile, RECORDED_SECONDS } from './in-lanes.ts'

const root = resolve(import.meta.dirname, '../..')

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
  const durations = modules
    .map((module) => ({
      path: relative(root, module.moduleId),
      seconds: Math.round(module.diagnostic().duration / 1000),
      busy: Math.round(module.meta().busySeconds ?? 0),
    }))
    .filter(({ seconds }) => seconds >= RECORDED_SECONDS)
    .map(({ path, seconds, busy }) => [path, [seconds, busy]] as const)
    .toSorted(([one], [other]) => one.localeCompare(other))
  const lines = durations.map(([path, duration]) => `  "${path}": [${duration.join(', ')}]`)
  writeFileSync(durationsFile, `{\n${lines.join(',\n')}\n}\n`)
}
