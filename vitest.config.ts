import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import InLanes, { lanes } from './test/support/in-lanes.ts'
import { unitFiles } from './test/support/unit-files.ts'

const unit = unitFiles()
const isNightly = process.env.NIGHTLY === '1'
const setupFiles = [
  'test/support/quick.ts',
  ...(process.env.RECORD_DURATIONS ? ['test/support/busy-seconds.ts'] : []),
]

/** Passwords cost what they cost in the tests of `unit` and in the programs that tests start. */
const quickPasswords = ['test/support/quick-password-cost.ts']

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: isNightly ? [] : setupFiles,
    sequence: { sequencer: InLanes },
    env: {
      // For the threads of workers, too.
      NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'node_modules/.cache/compiled'),
      // Temporal's workers then run workflows in the main thread, not in two threads per service.
      ...(isNightly ? {} : { TEMPORAL_DEBUG: '1' }),
    },
    // Collects garbage a tenth as often.
    execArgv: ['--max-semi-space-size=64'],
    // Node itself runs TypeScript: Vite would transform each module and wrap its imports.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    // Importing the service anew in each file would take as long as all tests together.
    isolate: false,
    // Waiting costs nothing where all is well, and a busy machine may need minutes.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    coverage: {
      // The rooms whose tests run in seconds and in this process, so that coverage means something.
      include: ['src/{availability,contract,platform}/**/*.ts', 'packages/**/*.ts'],
      reporter: ['text-summary', 'html'],
      thresholds: {
        // A run that covers more writes it down here; the floor never falls.
        autoUpdate: (percent) => Math.floor(percent),
        statements: 80,
        branches: 71,
      },
    },
    reporters: ['default', './test/support/plain-line-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: unit,
          // With two, the processor would be idle half of the time, as some files wait for seconds.
          maxWorkers: 4,
          // Before all others: the first answer to a change.
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'main',
          setupFiles: quickPasswords,
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/**/*.nightly.test.ts', ...unit],
          // More than the machine has cores, as many tests mostly wait for deadlines.
          maxWorkers: lanes.length,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'nightly',
          include: ['test/**/*.nightly.test.ts'],
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          setupFiles: quickPasswords,
          include: ['test/browser/**/*.test.ts'],
          exclude: ['**/*.nightly.test.ts'],
          maxWorkers: 3,
          // Not among the others: a process of another project would be started for each file.
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
