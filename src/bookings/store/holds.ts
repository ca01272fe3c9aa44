import { z } from 'zod'
import type { VenueService } from '../../availability/store/venue-services.ts'
import { boolean } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { MAX_HOLDS } from '../rules/booking.ts'
import type { LockedBooking } from './bookings.ts'

/**
 * Counts an explicit hold of the account; false if it has too many. The counter is always locked
 * after the inventory and before the event number, to avoid deadlocks. `hold_counter_limit`
 * enforces the limit.
 */
export const countHold = (tx: Db, accountId: string): Promise<boolean> =>
  query.affectsRow(tx)`
    insert into hold_counter as h (account_id, live) values (${accountId}, 1)
    on conflict (account_id) do update set live = h.live + 1 where h.live < ${MAX_HOLDS}`

/**
 * Stops counting an explicit hold. Holds of groups and of the waitlist are never counted. The
 * counter is locked after everything except event numbers, so that nobody waits for it while
 * holding what another step needs.
 */
export async function uncountHold(tx: Db, from: LockedBooking): Promise<void> {
  if (from.status !== 'held' || from.hold_until === null || from.group_id !== null) return
  await query.execute(tx)`
    update hold_counter set live = live - 1
    where account_id = ${from.account_id}
      and not exists (select from waitlist_turn where hold_id = ${from.id})`
}

/** Gives a booking this guest reference if it has none. */
export const fillGuestRef = (tx: Db, id: string, guestRef: string) =>
  query.execute(tx)`
    update request set guest_ref = ${guestRef} where booking_id = ${id} and guest_ref is null`

/** Whether a booking of the account has another guest reference. */
export const hasOtherGuestRef = (db: Db, accountId: string, id: string, guestRef: string) =>
  query.value(db, boolean)`
    select exists (select from request
      where booking_id = ${id} and account_id = ${accountId} and guest_ref <> ${guestRef})`

const overdueRow = z.object({ ends_at: z.date().nullable() })

/**
 * The times at which overdue explicit holds that still occupy this span of the service, or of the
 * resources that it shares with the venue's others, will end, earliest first.
 */
export const selectOverdueHolds = (
  db: Db,
  { service, from, until }: { service: VenueService; from: Date; until: Date },
  at: Date,
) =>
  query.rows(db, overdueRow)`
    select b.next_action_at as ends_at from booking b
    where b.venue_id = ${service.venue_id} and b.status = 'held' and b.hold_until <= ${at}
      and (b.service_id = ${service.id} or exists (select from allocation a
        where a.booking_id = b.id and a.resource_id = any(
          ${service.resources.flatMap(({ ids }) => ids)}::uuid[])))
      and b.starts_at < ${until} and b.ends_at > ${from}
    order by b.next_action_at`
