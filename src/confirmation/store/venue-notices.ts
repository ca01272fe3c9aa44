import { z } from 'zod'
import { changePhases } from '../../bookings/rules/booking.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** Notices about bookings to the people at a venue; the room `notices` opens and sends them. */
const noticeKinds = [
  'request.waiting',
  'request.reminder',
  'booking.changed',
  'booking.cancelled',
] as const
type NoticeKind = (typeof noticeKinds)[number]

/**
 * Sets the next notice for a booking's venue, if it has people or is a test venue. Replaces any
 * earlier notice.
 */
export const setNoticeDue = (tx: Db, bookingId: string, kind: NoticeKind) =>
  query.execute(tx)`
    update booking b set notice_due = ${kind} from venue v
    where b.id = ${bookingId} and v.id = b.venue_id and (v.is_test or exists (
      select from venue_person p where p.venue_id = v.id and p.removed_at is null))`

/**
 * Sets the next notice for a booking of which nobody was told alone, if a list of its day, or of
 * the day to which it moves, was opened.
 */
export const setListedNoticeDue = (
  tx: Db,
  bookingId: string,
  kind: NoticeKind,
  slotTime: string | null = null,
) =>
  query.execute(tx)`
    update booking b set notice_due = ${kind}
    where b.id = ${bookingId} and exists (
      select from venue_person p join notice n on n.person_id = p.id
      where p.venue_id = b.venue_id and p.removed_at is null
        and n.day in (b.slot_time::date, ${slotTime}::timestamp::date))`

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
  is_test: z.boolean(),
  account_id: z.uuid(),
  guest_ref: z.string().nullable(),
  slot_time: z.string(),
  starts_at: z.date(),
  change_phase: z.enum(changePhases).nullable(),
})
/** A notice to open. */
export type DueNotice = z.infer<typeof dueRow>

/** The due notice of a booking. */
export const selectOptionalNotice = (db: Db, bookingId: string) =>
  query.optionalRow(db, dueRow)`
    select b.notice_due as kind, b.id as booking_id, b.revision, b.status, b.answer_by, b.venue_id,
      v.slug as venue_slug, v.is_test is true as is_test,
      b.account_id, r.guest_ref, b.slot_time, b.starts_at, b.change_phase
    from booking b join venue v on v.id = b.venue_id join request r on r.booking_id = b.id
    where b.id = ${bookingId} and b.notice_due is not null`

/** Clears a notice that was opened or is no longer due; a newer one stays due. */
export const clearNotice = (db: Db, { booking_id, kind, revision }: DueNotice) =>
  query.execute(db)`
    update booking set notice_due = null
    where id = ${booking_id} and notice_due = ${kind} and revision = ${revision}`
