import { z } from 'zod'
import type { BookingStart } from '../../bookings/rules/booking-messages.ts'
import { type Db, execute, queryRows } from '../../platform/database/sql.ts'

export type NewTurn = {
  watchId: string
  holdId: string
  freedBy: string | null
  at: Date
}

/** A watcher's turn has come: it has this hold. */
export async function insertTurn(tx: Db, turn: NewTurn): Promise<void> {
  await execute(tx)`
    with turn as (
      insert into watch_turn (hold_id, watch_id, freed_by, offered_at)
        values (${turn.holdId}, ${turn.watchId}, ${turn.freedBy}, ${turn.at})
    )
    update watch set status = 'offered', hold_id = ${turn.holdId}, updated_at = ${turn.at}
    where id = ${turn.watchId} and status = 'watching'`
}

/** A hold of a watcher, by the two ids under which its booking is found. */
export type OfferedHold = Pick<BookingStart, 'bookingId' | 'accountId'> & { watchId: string }

const givenRow = z
  .object({ hold_id: z.uuid(), account_id: z.uuid(), watch_id: z.uuid() })
  .transform(
    ({ hold_id, account_id, watch_id }): OfferedHold => ({
      bookingId: hold_id,
      accountId: account_id,
      watchId: watch_id,
    }),
  )

/** The holds that came about by this booking's end and whose workflow nobody has started yet. */
export const selectOfferedBy = (db: Db, bookingId: string): Promise<OfferedHold[]> =>
  queryRows(db, givenRow)`
    select t.hold_id, w.account_id, t.watch_id from watch_turn t join watch w on w.id = t.watch_id
    where t.freed_by = ${bookingId} and not t.is_started`

/** Among all holds whose workflow nobody has started yet these, and up to `limit` of those given before `before`. */
export const selectUnstartedHolds = (
  db: Db,
  { holds, before, limit }: { holds: readonly string[]; before: Date; limit: number },
): Promise<OfferedHold[]> =>
  queryRows(db, givenRow)`
    select t.hold_id, w.account_id, t.watch_id from watch_turn t join watch w on w.id = t.watch_id
    where not t.is_started and (t.hold_id = any(${holds}::uuid[]) or t.offered_at < ${before})
    order by t.hold_id = any(${holds}::uuid[]) desc, t.offered_at
      limit ${Math.max(limit, holds.length)}`

/** The hold's workflow runs. */
export async function markStarted(db: Db, holdId: string): Promise<void> {
  await execute(db)`update watch_turn set is_started = true where hold_id = ${holdId}`
}
