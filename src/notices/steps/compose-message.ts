import type { BookingStatus } from '../../base/booking-status.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { isRequest, type NoticeMessage } from '../rules/message.ts'
import { noticeUrl } from '../rules/notice-link.ts'
import { selectDayBookings, selectNoticeBooking, selectSubject } from '../store/messages.ts'

type Deps = { db: Pool; sealer: Pick<Sealer, 'tokens'>; publicUrl: string }

/** Nobody comes, so the details of a change would mislead. */
const endings: ReadonlySet<BookingStatus> = new Set(['expired', 'declined', 'cancelled'])

/** The message of an attempt, with the booking as it is now and the revision that is told. */
export async function composeMessage(
  { db, sealer, publicUrl }: Deps,
  { noticeId, attemptId }: { noticeId: string; attemptId: string },
  at: Date,
): Promise<NoticeMessage> {
  const row = await selectSubject(db, noticeId)
  const { kind, day, language, slug, timezone, phone } = row
  const { booking_id: bookingId } = row
  const booking = bookingId && (await selectNoticeBooking(db, bookingId, isRequest(kind)))
  const isEnded = booking && kind === 'booking.changed' && endings.has(booking.status)
  return {
    ...{ attemptId, kind: isEnded ? 'booking.cancelled' : kind, at, language },
    venue: { slug, name: row.venue, timezone, phone },
    person: { id: row.person_id, name: row.person },
    booking: booking ? { ...booking, revision: row.revision ?? booking.revision } : null,
    day: day ? { date: day, bookings: await selectDayBookings(db, row.venue_id, day) } : null,
    url: noticeUrl(sealer, publicUrl, attemptId),
  }
}
