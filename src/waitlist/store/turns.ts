import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { GRACE_MS } from '../../bookings/rules/in-time.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'

/** SQL for when an entry's hold `b` ends; if its venue is deciding, the latest possible end. */
export const holdEndsAt = sql`case b.status
  when 'pending' then b.answer_by + ${GRACE_MS} * interval '1 ms' else b.next_action_at end`

export type NewTurn = { entryId: string; holdId: string; freedBy: string | null; at: Date }

/** Gives an entry its turn, with this hold. */
export const insertTurn = (tx: Db, { entryId, holdId, freedBy, at }: NewTurn) =>
  query.execute(tx)`
    with turn as (
      insert into waitlist_turn (hold_id, entry_id, freed_by, offered_at)
      values (${holdId}, ${entryId}, ${freedBy}, ${at})
    )
    update waitlist_entry set status = 'offered', hold_id = ${holdId}, updated_at = ${at}
    where id = ${entryId} and status = 'watching'`

const holdRow = z.object({ hold_id: z.uuid(), account_id: z.uuid(), entry_id: z.uuid() })
export type OfferedHold = z.infer<typeof holdRow>

const selectHolds = (db: Db, which: Sql) =>
  query.rows(db, holdRow)`
    select t.hold_id, w.account_id, t.entry_id
    from waitlist_turn t join waitlist_entry w on w.id = t.entry_id
    where not t.is_started and ${which}`

/** The holds resulting from this booking's end whose workflows have not been started. */
export const selectOfferedBy = (db: Db, bookingId: string) =>
  selectHolds(db, sql`t.freed_by = ${bookingId}`)

/** The given holds whose workflows have not been started. */
export const selectHoldsById = (db: Db, holdIds: readonly string[]) =>
  selectHolds(db, sql`t.hold_id = any(${holdIds}::uuid[])`)

/**
 * Holds offered before `before` whose workflows have not been started: up to `limit`
 * after the id `after`, by id.
 */
export const selectUnstartedHolds = (db: Db, before: Date, { after, limit }: PageOfIds) =>
  selectHolds(
    db,
    sql`t.offered_at < ${before} and (${after}::uuid is null or t.hold_id > ${after})
    order by t.hold_id limit ${limit}`,
  )

export const markStarted = (db: Db, holdId: string) =>
  query.execute(db)`update waitlist_turn set is_started = true where hold_id = ${holdId}`
