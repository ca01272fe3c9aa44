import { timeOf } from '../../base/account-time.ts'
import type { BookingStart } from '../../bookings/rules/booking-messages.ts'
import { reasons } from '../../bookings/rules/timeline-reasons.ts'
import { selectBookingForUpdate } from '../../bookings/store/bookings.ts'
import { appendToTimeline } from '../../bookings/store/timeline.ts'
import type { TestVenues } from '../../confirmation/steps/test-venues.ts'
import {
  clearNotice,
  type DueNotice,
  selectOptionalNotice,
} from '../../confirmation/store/venue-notices.ts'
import { type Db, type Pool, together, transaction } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { NoticeEngine } from '../engine.ts'
import { isRequest } from '../rules/message.ts'
import { notBefore } from '../rules/quiet-hours.ts'
import { insertNotices, selectUntried } from '../store/notices.ts'
import { selectQuietHours } from '../store/venue-settings.ts'

/** What opening notices needs. */
export type OpenDeps = {
  db: Pool
  log: Log
  engine: Pick<NoticeEngine, 'beginNotice'>
  testVenues: TestVenues
}

/**
 * Opens the notices that are due for a booking, one for each person at the venue, and starts their
 * workflows. Safe to repeat: a failure leaves notices that the next call, or the sweep, starts.
 */
export async function openNotices(deps: OpenDeps, start: BookingStart): Promise<string> {
  const { db, engine } = deps
  const { bookingId } = start
  const due = await selectOptionalNotice(db, bookingId)
  const result = due ? await open(deps, due, timeOf(start)) : 'nothing to open'
  if (due?.is_test) return result
  const begun = (await selectUntried(db, { bookingId })).map((one) => engine.beginNotice(one))
  await together(...begun)
  return result
}

async function open(deps: OpenDeps, due: DueNotice, at: Date): Promise<string> {
  const { db, log, testVenues } = deps
  const isOpen = due.status === 'pending' || due.change_phase === 'asked'
  if (isRequest(due.kind) && !isOpen) {
    await clearNotice(db, due)
    return 'answered before it was sent'
  }
  if (due.is_test) {
    await testVenues.notify(due, at)
    await clearNotice(db, due)
    return due.kind
  }
  const people = await transaction(db, (tx) => insertDue(tx, due, at))
  const line = { booking_id: due.booking_id, venue: due.venue_slug, kind: due.kind, people }
  if (people === undefined) return 'opened by another process'
  if (people === 0) log.warn(line, 'a venue has nobody to notify')
  else log.info(line, 'the people of a venue are being notified')
  return due.kind
}

/** Inserts due notices and clears them from the booking; returns for how many people. */
async function insertDue(tx: Db, due: DueNotice, at: Date): Promise<number | undefined> {
  const { booking_id: bookingId, venue_id: venueId, kind, starts_at: startsAt } = due
  const booking = await selectBookingForUpdate(tx, bookingId)
  if ((await clearNotice(tx, due)) === 0) return undefined
  const asked = booking.change_revision ?? booking.asked_revision
  const revision = isRequest(kind) ? (asked ?? booking.revision) : due.revision
  const quiet = await selectQuietHours(tx, venueId)
  const people = await insertNotices(tx, {
    ...{ venueId, kind, bookingId, revision, day: null, at },
    answerBy: isRequest(kind) ? due.answer_by : null,
    notBefore: notBefore(kind, quiet, { at, startsAt }),
  })
  if (people === 0 && kind === 'request.waiting') {
    await appendToTimeline(tx, booking, reasons.venueHasNoChannel, at)
  }
  return people
}
