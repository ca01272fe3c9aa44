import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'

/** Suspends an account; false if it is already suspended or deleted, or does not exist. */
export const updateSuspended = (tx: Db, id: string, reason: string, at: Date) =>
  query.affectsRow(tx)`
    update account set suspended_at = ${at}, suspended_reason = ${reason}
    where id = ${id} and suspended_at is null and deleted_at is null`

/** Ends a suspension; false if there is none. */
export const updateResumed = (tx: Db, id: string) =>
  query.affectsRow(tx)`
    update account set suspended_at = null, suspended_reason = null
    where id = ${id} and suspended_at is not null`

const quotaRow = z.object({ requests_per_day: z.int().nullable() })

/** Sets an account's daily request limit; null for its tier's. Returns the previous value. */
export const updateQuota = (tx: Db, id: string, perDay: number | null) =>
  query.optionalRow(tx, quotaRow)`
    update account a set requests_per_day = ${perDay}
    from (select id, requests_per_day from account where id = ${id} and deleted_at is null
      for no key update) before
    where a.id = before.id returning before.requests_per_day`
