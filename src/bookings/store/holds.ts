import { z } from 'zod'
import type { Span } from '../../availability/store/occupancy.ts'
import { type Db, execute, queryRows } from '../../platform/database/sql.ts'
import { MOST_HOLDS } from '../rules/booking.ts'
import type { LockedBooking } from './bookings.ts'

/**
 * Counts an explicit hold of the account; false when it has too many. Taken after the hold's inventory and before the account's
 * event number, by everybody, so that no two wait for each other. `hold_counter_limit` is the guarantee.
 */
export async function countHold(tx: Db, accountId: string): Promise<boolean> {
  const counted = await execute(
    tx,
    `insert into hold_counter as h (account_id, live) values ($1, 1)
     on conflict (account_id) do update set live = h.live + 1 where h.live < $2`,
    [accountId, MOST_HOLDS],
  )
  return counted === 1
}

/** A booking as it was before the step that takes it out of `held`. */
export type LeftHold = Pick<
  LockedBooking,
  'id' | 'account_id' | 'status' | 'hold_until' | 'group_id'
>

/**
 * The hold, if it was an explicit one, is one no longer. What a group holds and what a watcher was given never counted. Everything
 * else that a step may wait for comes before, but for event numbers: so nobody waits for the count who keeps what the step needs.
 */
export async function uncountHold(tx: Db, from: LeftHold): Promise<void> {
  if (from.status !== 'held' || from.hold_until === null || from.group_id !== null) return
  await execute(
    tx,
    `update hold_counter set live = live - 1
     where account_id = $1 and not exists (select from watch_turn where hold_id = $2)`,
    [from.account_id, from.id],
  )
}

const overdueRow = z.object({ id: z.uuid() }).transform(({ id }) => id)

/** The explicit holds whose time is over although they still keep something of this offering in this span. */
export const selectOverdueHolds = (
  db: Db,
  { offeringId, from, until }: Span,
  at: Date,
): Promise<string[]> =>
  queryRows(
    db,
    overdueRow,
    `select b.id from booking b
     where b.offering_id = $1 and b.status = 'held' and b.hold_until <= $4
       and b.starts_at < $3 and b.ends_at > $2`,
    [offeringId, from, until, at],
  )
