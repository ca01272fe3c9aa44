import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Db } from '../../platform/database/sql.ts'
import { findingNames } from '../rules/findings.ts'
import type { PromiseName } from '../rules/tariff.ts'

/** What a query found: a promise that was broken and has no row yet. */
export const candidateRow = z.object({
  account_id: z.uuid(),
  booking_id: z.uuid(),
  is_demo: z.boolean(),
  finding: z.enum(findingNames),
  seconds: z.int(),
  broken_at: z.date(),
})
export type BreachCandidate = z.infer<typeof candidateRow>

/** `since`: rows of before have been looked at. */
type Look = { since: Date; at: Date; limit: number }

/** One query of the finder. */
export type Find = (db: Db, look: Look) => Promise<BreachCandidate[]>

/** Whether a breach can still be recorded for a booking of the account `a`: not of a sandbox. */
export const isOpen = (bookingId: Sql, promise: PromiseName): Sql => sql`
  a.deleted_at is null and a.mode = 'live' and not exists (
    select from guarantee_breach g
    where g.booking_id = ${bookingId} and g.promise = ${promise})`

/** Whole seconds between two moments. */
export const secondsBetween = (from: Sql, to: Sql): Sql =>
  sql`floor(extract(epoch from (${to}) - (${from})))::int`

/** A number of milliseconds as an interval. */
export const interval = (ms: number): Sql => sql`make_interval(secs => ${ms / 1000})`
