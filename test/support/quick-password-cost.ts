import { onTestFinished } from 'vitest'
import { cost } from '../../src/platform/sealing/password-cost.ts'

// Lowers src/platform/sealing/password-cost.ts, because tests sign up and sign in thousands of
// times. The production cost is tested in test/accounts/password-secret.test.ts.
const quick = { memory: 64, passes: 1, parallelism: 1 }

Object.assign(cost, quick)

/** For a test of how long hashing takes. */
export function hashAsInProduction(): void {
  Object.assign(cost, { memory: 19_456, passes: 2 })
  onTestFinished(() => {
    Object.assign(cost, quick)
  })
}
