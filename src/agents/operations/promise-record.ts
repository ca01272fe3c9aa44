import { DAY_MS } from '../../base/durations.ts'
import type { Db } from '../../platform/database/sql.ts'
import { type PromiseName, promises } from '../rules/promises.ts'
import { type PromiseCount, selectPromiseCount } from '../store/promise-record.ts'

export const RECORD_DAYS = 90

type Promised = { promise: PromiseName; title: string; text: string; kept: number } & PromiseCount
export type PromiseRecord = readonly Promised[]

/** For each promise: how often it was made, kept and broken in 90 days, and its p95 in ms. */
export const readPromiseRecord = (db: Db, at: Date): Promise<PromiseRecord> => {
  const since = new Date(at.getTime() - RECORD_DAYS * DAY_MS)
  return Promise.all(
    Object.entries(promises).map(async ([name, words]) => {
      const promise = name as PromiseName
      const count = await selectPromiseCount(db, promise, { since, at })
      return { promise, ...words, ...count, kept: count.made - count.broken }
    }),
  )
}
