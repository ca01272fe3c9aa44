import { test } from 'vitest'

/** Nightly runs (`npm run test:nightly`) test all cases, looks and widths, and keep screenshots. */
export const isNightly = process.env.NIGHTLY === '1'

/** All cases nightly; otherwise the first, representing its kind, or the first `count`. */
export const daily = <T>(cases: readonly T[], count = 1): readonly T[] =>
  isNightly ? cases : cases.slice(0, count)

/** Every `nth` case from the one at `first`; all nightly. */
export const sample = <T>(cases: readonly T[], nth: number, first = 0): readonly T[] =>
  isNightly ? cases : cases.filter((_, at) => at % nth === first % nth)

type Run = () => Promise<void>

/** A test that only runs nightly. */
export function nightly(name: string, run: Run, timeoutMs?: number): void {
  if (isNightly) test(name, run, timeoutMs)
}

nightly.concurrent = (name: string, run: Run): void => {
  if (isNightly) test.concurrent(name, run)
}
