import { type Db, query } from '../../platform/database/sql.ts'

/** A clock's turn; each live account has only one at a time. */
type Turn = { owner: string; clockId: string }

/**
 * Takes an account's turn for a clock until `until`; false if another of the account's clocks has a
 * turn that is not over at `at`.
 */
export const takeTurn = (db: Db, { owner, clockId, at, until }: Turn & { at: Date; until: Date }) =>
  query.affectsRow(db)`
    insert into clock_turn as t (live_account_id, clock_id, until)
    values (${owner}, ${clockId}, ${until})
    on conflict (live_account_id) do update
    set clock_id = excluded.clock_id, until = excluded.until
    where t.clock_id = excluded.clock_id or t.until <= ${at}`

export const endTurn = (db: Db, { owner, clockId }: Turn) =>
  query.execute(
    db,
  )`delete from clock_turn where live_account_id = ${owner} and clock_id = ${clockId}`
