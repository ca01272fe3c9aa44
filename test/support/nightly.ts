import { test } from 'vitest'

/** Nightly (`npm run test:nightly`), all cases, looks and widths are tested, and pictures kept. */
export const isNightly = process.env.NIGHTLY === '1'

/** All cases nightly; otherwise the first, which stands for its kind, or so many. */
export const daily = <T>(cases: readonly T[], count = 1): readonly T[] =>
  isNightly ? cases : cases.slice(0, count)

/** A test that only runs nightly. */
export function nightly(name: string, run: () => Promise<void>): void {
  if (isNightly) test(name, run)
}
