import { type Log, loggable } from '../telemetry/log.ts'

/**
 * A pass over rows that may need help. `next`: the row after which the next pass continues; null at
 * the end.
 */
export type Pass = { done: number; failed: number; failures: string[]; next: string | null }

/** A pass with nothing to do. */
export const emptyPass: Pass = { done: 0, failed: 0, failures: [], next: null }

/** What a pass reads next: up to `limit` rows with ids above `after`, by id. */
export type PageOfIds = { after: string | null; limit: number }

/** A row on which a pass failed, and why. */
export type FailedRow = { id: string; error: string }

/** How to find rows that may need help, and how to help one of them. */
export type Work<R> = {
  /** the rows of this page; fewer than its limit are the last */
  select(page: PageOfIds): Promise<R[]>
  idOf(row: R): string
  /** false if there was nothing to do */
  help(row: R): Promise<unknown>
  /** how many rows to help at the same time */
  atOnce?: number
}

/** Counts a row that failed, with the reason. */
export type Fail = (id: string, error: unknown) => void

const PAGE = 200
const CONCURRENCY = 20
/** Well within an activity's timeout, even if the last rows take another 5 s. */
export const MAX_MS = 20_000
export const MAX_FAILURES_SHOWN = 10

/** A pass's results so far, and the rows that failed. */
export function beginPass(next: string | null, log: Log) {
  const pass: Pass = { done: 0, failed: 0, failures: [], next }
  const failedRows: FailedRow[] = []
  const fail: Fail = (id, error) => {
    const message = error instanceof Error ? error.message : String(error)
    pass.failed += 1
    failedRows.push({ id, error: message })
    if (pass.failures.length >= MAX_FAILURES_SHOWN) return
    pass.failures.push(`${id}: ${message}`)
    log.warn({ id, error: loggable(error) }, 'the sweep failed for one row')
  }
  return { pass, failedRows, fail }
}

/**
 * Handles the rows after `after`, several at a time, for at most 20 s. A failing row is counted and
 * left to the next pass; it does not stop the others.
 */
export async function workThrough<R>(
  { select, idOf, help, atOnce = CONCURRENCY }: Work<R>,
  after: string | null,
  log: Log,
  isOver: AbortSignal = AbortSignal.timeout(MAX_MS),
): Promise<{ pass: Pass; failedRows: FailedRow[] }> {
  const { pass, failedRows, fail } = beginPass(after, log)
  const helpOne = async (row: R) => {
    try {
      if ((await help(row)) !== false) pass.done += 1
    } catch (error) {
      fail(idOf(row), error)
    }
  }
  for (;;) {
    const page = await select({ after: pass.next, limit: PAGE })
    const rows = page.values()
    let remaining = page.length
    const inTurn = async () => {
      for (const row of rows) {
        pass.next = idOf(row)
        remaining -= 1
        await helpOne(row)
        if (isOver.aborted) return
      }
    }
    await Promise.all(Array.from({ length: atOnce }, inTurn))
    if (remaining === 0 && page.length < PAGE) {
      pass.next = null
      return { pass, failedRows }
    }
    if (isOver.aborted) return { pass, failedRows }
  }
}

/** Processes rows one after another; a failing row does not stop the others. */
export async function eachRow<R>(
  rows: readonly R[],
  idOf: (row: R) => string,
  fail: Fail,
  help: (row: R) => Promise<unknown>,
): Promise<void> {
  for (const row of rows) await help(row).catch((error) => fail(idOf(row), error))
}

type Steps = Record<string, () => Promise<unknown>>

/** Runs all steps one after another; throws a failure only after the last. */
export async function eachStep<S extends Steps>(steps: S) {
  const failures: string[] = []
  const results: [string, unknown][] = []
  for (const [name, step] of Object.entries(steps)) {
    try {
      results.push([name, await step()])
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  if (failures.length > 0) throw new Error(`failed: ${failures.join('; ')}`)
  return Object.fromEntries(results) as { [N in keyof S]: Awaited<ReturnType<S[N]>> }
}
