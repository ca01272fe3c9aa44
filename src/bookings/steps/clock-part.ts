import sql from 'sql-template-tag'
import { SECOND_MS } from '../../base/durations.ts'
import type { ClockPart } from '../../contract/clock-part.ts'
import { atMost } from '../../platform/process/at-most.ts'
import type { BookingEngine } from '../engine.ts'
import { GRACE_MS } from '../rules/in-time.ts'
import { selectBookingStarts } from '../store/booking-starts.ts'

/** How many signals to send concurrently. */
const CONCURRENCY = 20

/** A venue's system is polled continually, so only the deadline to answer counts as due. */
const dueOf = sql`case
  when (b.status = 'pending' and b.confirm_mode = 'http') or b.change_phase = 'asked'
    then b.answer_by + ${GRACE_MS / SECOND_MS} * interval '1 second'
  else b.next_action_at end`
const isOpen = sql`b.status in ('held', 'pending', 'offered', 'confirmed')`
const isUndecided = sql`(r.answer is null
  and not exists (select from booking d where d.id = r.booking_id))`
const isUnread = sql`(c.answer is null and c.begun_at is null)`

/** An account's bookings on its test clock, with their commands. */
export const bookingsOnClock: ClockPart<BookingEngine> = {
  due: (accountId) => sql`least(
    (select min(${dueOf}) from booking b where b.account_id = ${accountId} and ${isOpen}),
    (select min(r.created_at) from request r where r.account_id = ${accountId} and ${isUndecided}),
    (select min(c.created_at) from booking b join command c on c.booking_id = b.id
     where b.account_id = ${accountId} and ${isOpen} and ${isUnread}))`,
  async tell({ db, engine }, accountId, { until, id }) {
    const starts = await selectBookingStarts(
      db,
      sql`r.account_id = ${accountId} and (${isUndecided} or ${isOpen} and (
        ${until}::timestamptz is null or ${dueOf} <= ${until}
          or exists (select from command c where c.booking_id = b.id and ${isUnread})))`,
    )
    await atMost(CONCURRENCY, starts, (start) => engine.notifyBookingTime(start, id))
  },
}
