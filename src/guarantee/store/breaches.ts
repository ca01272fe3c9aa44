import { z } from 'zod'
import { withTexts } from '../../contract/twins.ts'
import { isoTime } from '../../platform/database/columns.ts'
import {
  type Db,
  execute,
  queryOptionalRow,
  queryRow,
  queryRows,
} from '../../platform/database/sql.ts'
import type { PromiseName } from '../rules/tariff.ts'
import { breach, credited } from '../schema/guarantee.ts'

const watchRow = z.object({ checked_until: z.date() })

/** Up to when the finder has looked at everything; undefined before its first run. */
export const selectCheckedUntil = async (db: Db): Promise<Date | undefined> =>
  (await queryOptionalRow(db, watchRow)`select checked_until from guarantee_watch`)?.checked_until

/** Moves forward only: several finders can run at once. */
export const updateCheckedUntil = (db: Db, until: Date) =>
  execute(db)`
    insert into guarantee_watch (checked_until) values (${until})
    on conflict (only_row) do update
      set checked_until = greatest(guarantee_watch.checked_until, excluded.checked_until)`

type NewBreach = {
  id: string
  account_id: string
  booking_id: string
  promise: PromiseName
  why: string
  broken_at: Date
  is_demo: boolean
  credit_minor: number
  currency: string
  at: Date
}

/** False when this promise has been found broken for this booking before. */
export const insertBreach = async (tx: Db, found: NewBreach): Promise<boolean> =>
  (await execute(tx)`
    insert into guarantee_breach (id, account_id, booking_id, promise, why, broken_at, found_at,
      is_demo, credit_minor, currency)
    values (${found.id}, ${found.account_id}, ${found.booking_id}, ${found.promise}, ${found.why},
      ${found.broken_at}, ${found.at}, ${found.is_demo}, ${found.credit_minor}, ${found.currency})
    on conflict on constraint guarantee_breach_once do nothing`) === 1

const sumRow = z.object({ credited_minor: z.int() })

/**
 * What an account has been credited with in the month (UTC) of `at`. Locks the account's credits
 * until the transaction ends, so that finders that run at once do not exceed the most together.
 */
export async function lockCreditedOfMonth(tx: Db, accountId: string, at: Date): Promise<number> {
  await execute(tx)`
    select pg_advisory_xact_lock(hashtextextended(${`guarantee ${accountId}`}, 0))`
  const { credited_minor } = await queryRow(tx, sumRow)`
    select coalesce(sum(credit_minor), 0)::bigint as credited_minor from guarantee_breach
    where account_id = ${accountId}
      and found_at >= date_trunc('month', ${at}::timestamptz, 'UTC')`
  return credited_minor
}

/** `after` is the last breach of the page before. */
export type BreachPage = { after: { at: Date; id: string } | null; limit: number }

const breachRow = breach.extend({ broken_at: isoTime, found_at: isoTime }).overwrite(withTexts)
const anyRow = breach
  .extend({ broken_at: isoTime, found_at: isoTime, account_id: z.uuid(), account_name: z.string() })
  .overwrite(withTexts)

/** A page of an account's breaches, newest first. */
export const selectBreaches = (db: Db, accountId: string, { after, limit }: BreachPage) =>
  queryRows(db, breachRow)`
    select id, booking_id, promise, why, broken_at, found_at, is_demo, credit_minor, currency
    from guarantee_breach
    where account_id = ${accountId}
      and (${after?.at}::timestamptz is null or (found_at, id) < (${after?.at}, ${after?.id}::uuid))
    order by found_at desc, id desc limit ${limit}`

/** The latest breaches across all accounts: for operators only. */
export const selectLatestBreaches = (db: Db, limit: number) =>
  queryRows(db, anyRow)`
    select g.id, booking_id, promise, why, broken_at, found_at, is_demo, credit_minor, currency,
      account_id, a.name as account_name
    from guarantee_breach g join account a on a.id = g.account_id
    order by found_at desc, g.id desc limit ${limit}`

const creditedRow = credited.overwrite(withTexts)

/** Breaches and credits of each promise since then, of an account or, for null, of all. */
export const selectCredited = (db: Db, accountId: string | null, since: Date) =>
  queryRows(db, creditedRow)`
    select promise, count(*)::int as breaches, sum(credit_minor)::bigint as credit_minor,
      min(currency) as currency
    from guarantee_breach
    where found_at >= ${since} and (${accountId}::uuid is null or account_id = ${accountId})
    group by promise`
