import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { int, text, uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const clockRow = z.object({
  id: z.uuid(),
  name: z.string(),
  ahead_ms: z.int(),
  advancing_to: z.date().nullable(),
  advanced_to: z.date().nullable(),
  created_at: z.date(),
})
/** A test clock, which has the same id as its account. */
export type Clock = z.infer<typeof clockRow>

const select = sql`
  select t.account_id as id, t.name, t.ahead_ms, t.advancing_to, t.advanced_to, t.created_at
  from test_clock t join account a on a.id = t.account_id and a.deleted_at is null`

/** SQL for clocks of the caller's live account, even if the key is a sandbox's or a clock's. */
const isOf = (accountId: string): Sql => sql`a.live_account_id = (
  select coalesce(c.live_account_id, c.id) from account c where c.id = ${accountId})`

/** An account's clocks, newest first. */
export const selectClocksOf = (db: Db, accountId: string) =>
  query.rows(db, clockRow)`${select} where ${isOf(accountId)} order by t.account_id desc`

/** A clock of this account. */
export const selectOptionalClockOf = (db: Db, accountId: string, id: string) =>
  query.optionalRow(db, clockRow)`${select} where t.account_id = ${id} and ${isOf(accountId)}`

/** The name of this account's test clock. */
export const selectClockName = (db: Db, id: string): Promise<string> =>
  query.value(db, text)`select name from test_clock where account_id = ${id}`

/** Locks the caller's live account until the transaction ends, and returns its id. */
export const lockOwner = (tx: Db, accountId: string) =>
  query.value(tx, uuid)`
    select id from account where id = (
      select coalesce(c.live_account_id, c.id) from account c where c.id = ${accountId})
    for no key update`

/** A clock's live account; undefined once the clock is deleted. */
export const selectOptionalOwner = (db: Db, id: string): Promise<string | undefined> =>
  query.optionalValue(db, uuid)`
    select a.live_account_id as id from test_clock t join account a on a.id = t.account_id
    where t.account_id = ${id}`

/** How many clocks a live account has. */
export const countClocks = (db: Db, liveAccountId: string) =>
  query.value(db, int)`
    select count(*) from test_clock t join account a on a.id = t.account_id
    where a.live_account_id = ${liveAccountId} and a.deleted_at is null`

/** Gives a sandbox its own clock. */
export const insertClock = (
  tx: Db,
  clock: { accountId: string; name: string; aheadMs: number; at: Date },
) =>
  query.execute(tx)`
    insert into test_clock (account_id, name, ahead_ms, created_at)
    values (${clock.accountId}, ${clock.name}, ${clock.aheadMs}, ${clock.at})`

/** Sets a clock's target; false if the clock is already moving. */
export const updateTarget = async (db: Db, id: string, to: Date) =>
  (await query.execute(db)`
    update test_clock set advancing_to = ${to}, advanced_to = ${to}
    where account_id = ${id} and advancing_to is null`) === 1

/** Moves a clock ahead, provided that it has a target. */
export const updateAhead = (db: Db, id: string, aheadMs: number) =>
  query.execute(db)`
    update test_clock set ahead_ms = greatest(ahead_ms, ${aheadMs})
    where account_id = ${id} and advancing_to is not null`

/** Clears a clock's target. */
export const clearTarget = (db: Db, id: string, target: Date) =>
  query.execute(db)`
    update test_clock set advancing_to = null
    where account_id = ${id} and advancing_to = ${target}`

/** Deletes a clock: its account continues in real time and gets no new offers. */
export const deleteClockRow = (tx: Db, id: string) =>
  query.execute(tx)`
    with clock as (delete from test_clock where account_id = ${id} returning account_id)
    update account set tier = 'free' where id = (select account_id from clock)`
