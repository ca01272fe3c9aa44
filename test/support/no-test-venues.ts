import type { TestVenues } from '../../src/confirmation/steps/test-venues.ts'

const refuse = async () => {
  throw new Error('this test has no sandbox')
}

/** For tests without sandboxes. */
export const testVenues: TestVenues = { answer: refuse, notify: refuse }
