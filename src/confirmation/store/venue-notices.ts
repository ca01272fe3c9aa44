import { z } from 'zod'
import { int } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** Notices to a venue at its operator's address; see docs/operate/venue-page.md. */
const noticeKinds = ['request.waiting', 'request.reminder', 'booking.changed'] as const
type NoticeKind = (typeof noticeKinds)[number]

/**
 * Sets the next notice for a booking's venue, if it has an address or is a test venue. Replaces any
 * earlier notice.
 */
export const setNoticeDue = (tx: Db, bookingId: string, kind: NoticeKind) =>
  query.execute(tx)`
    update booking b set notice_due = ${kind}, notice_tries = 0
    from venue v left join venue_contact c on c.venue_id = v.id
    where b.id = ${bookingId} and v.id = b.venue_id and (c.notify_url is not null or v.is_test)`

/** Stores when a person at the venue was reminded. */
export const updateRemindedAt = (tx: Db, bookingId: string, at: Date) =>
  query.execute(tx)`update booking set venue_reminded_at = ${at} where id = ${bookingId}`

const dueRow = z.object({
  kind: z.enum(noticeKinds),
  booking_id: z.uuid(),
  revision: z.int(),
  status: z.string(),
  answer_by: z.date().nullable(),
  venue_id: z.uuid(),
  venue_slug: z.string(),
  url: z.string().nullable(),
  secret: z.string().nullable(),
  is_test: z.boolean(),
  account_id: z.uuid(),
  guest_ref: z.string().nullable(),
  slot_time: z.string(),
  starts_at: z.date(),
})
/** A notice to send, and its `url`, which is null once the operator has removed it. */
export type DueNotice = z.infer<typeof dueRow>

/** The due notice of a booking. */
export const selectOptionalNotice = (db: Db, bookingId: string) =>
  query.optionalRow(db, dueRow)`
    select b.notice_due as kind, b.id as booking_id, b.revision, b.status, b.answer_by, b.venue_id,
      v.slug as venue_slug, c.notify_url as url, c.secret, v.is_test is true as is_test,
      b.account_id, r.guest_ref, b.slot_time, b.starts_at
    from booking b join venue v on v.id = b.venue_id join request r on r.booking_id = b.id
    left join venue_contact c on c.venue_id = b.venue_id
    where b.id = ${bookingId} and b.notice_due is not null`

/** Counts a failure of the address; returns the number so far, or undefined for an older notice. */
export const countNoticeFailure = (db: Db, { booking_id, kind, revision }: DueNotice) =>
  query.optionalValue(db, int)`
    update booking set notice_tries = notice_tries + 1
    where id = ${booking_id} and notice_due = ${kind} and revision = ${revision}
    returning notice_tries`

/** Clears a notice that was sent or abandoned; a newer one stays due. */
export const clearNotice = (db: Db, { booking_id, kind, revision }: DueNotice) =>
  query.execute(db)`
    update booking set notice_due = null
    where id = ${booking_id} and notice_due = ${kind} and revision = ${revision}`
