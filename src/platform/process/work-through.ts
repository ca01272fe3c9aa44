import { type Log, loggable } from '../telemetry/log.ts'

/**
 * One pass over rows that may need help. `next`: the row after which the next pass continues, null
 * when this one reached the end.
 */
export type Pass = { done: number; failed: number; failures: string[]; next: string | null }

/** How to find rows that may need help, and to help one. */
export type Work<R> = {
  /** the rows after this one, in the order of their ids; fewer than `page` are the last */
  select(after: string | null, page: number): Promise<R[]>
  idOf(row: R): string
  /** false when there was nothing to do */
  help(row: R): Promise<unknown>
}

const PAGE = 200
const AT_ONCE = 20
/** Well within the timeout of an activity, even if the last rows take 5 s. */
const LONGEST_MS = 20_000
const MOST_FAILURES_SHOWN = 10
/** Rows per statement, so that none holds locks for long. */
const ERASED_AT_ONCE = 1_000

/**
 * Helps the rows after `after`, 20 at a time, for at most 20 s. A row that fails is counted and
 * left to the next pass; it keeps no other from its help.
 */
export async function workThrough<R>(
  { select, idOf, help }: Work<R>,
  after: string | null,
  log: Log,
  isOver: AbortSignal = AbortSignal.timeout(LONGEST_MS),
): Promise<Pass> {
  const pass: Pass = { done: 0, failed: 0, failures: [], next: after }
  const helpOne = async (row: R) => {
    try {
      if ((await help(row)) !== false) pass.done += 1
    } catch (error) {
      pass.failed += 1
      if (pass.failures.length >= MOST_FAILURES_SHOWN) return
      pass.failures.push(`${idOf(row)}: ${error instanceof Error ? error.message : error}`)
      log.warn({ id: idOf(row), error: loggable(error) }, 'the sweep failed for one row')
    }
  }
  for (;;) {
    const page = await select(pass.next, PAGE)
    const rows = page.values()
    let left = page.length
    const inTurn = async () => {
      for (const row of rows) {
        pass.next = idOf(row)
        left -= 1
        await helpOne(row)
        if (isOver.aborted) return
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, inTurn))
    if (left === 0 && page.length < PAGE) return { ...pass, next: null }
    if (isOver.aborted) return pass
  }
}

/** Erases up to `limit` rows at a time until none is left, for at most 20 s. */
export async function eraseThrough(erase: (limit: number) => Promise<number>): Promise<Pass> {
  const isOver = AbortSignal.timeout(LONGEST_MS)
  let done = 0
  while (!isOver.aborted) {
    const erased = await erase(ERASED_AT_ONCE)
    done += erased
    if (erased < ERASED_AT_ONCE) break
  }
  return { done, failed: 0, failures: [], next: null }
}
