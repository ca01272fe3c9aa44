import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
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
          name: 'main',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/**/*.nightly.test.ts'],
          // More than the machine has cores, as the crash tests mostly wait for timeouts.
          maxWorkers: 4,
        },
      },
      {
        extends: true,
        test: {
          name: 'nightly',
          include: ['test/**/*.nightly.test.ts'],
          maxWorkers: 4,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          maxWorkers: 2,
          // After all others: pages must react within a second, which needs a free processor.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
