import { test } from 'vitest'

/** Nightly runs (`npm run test:nightly`) test all cases, looks and widths, and keep screenshots. */
export const isNightly = process.env.NIGHTLY === '1'

/** All cases nightly; otherwise the first, representing its kind, or the first `count`. */
export const daily = <T>(cases: readonly T[], count = 1): readonly T[] =>
  isNightly ? cases : cases.slice(0, count)

/** A test that only runs nightly. */
export function nightly(name: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (isNightly) test(name, run, timeoutMs)
}
