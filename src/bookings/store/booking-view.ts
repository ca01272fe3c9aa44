import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Booking, feeStatuses } from '../../contract/public.ts'
import { bookingStatuses, cancellers } from '../../contract/rules/booking-status.ts'
import { utcOffset } from '../../contract/rules/local-time.ts'
import { defaultReminders } from '../../contract/rules/reminders.ts'
import { confirmModes } from '../../contract/rules/venue-kinds.ts'
import { type Db, queryOptionalRow, queryRow } from '../../platform/database/sql.ts'
import { reminderMinutes } from './bookings.ts'

/** The columns of `booking_view` that `viewRow` reads. */
export const viewColumns = sql`id, status, venue_id, venue_slug, venue_name, slot_time, timezone, starts_at, ends_at,
  party_size, fee_status, fee_amount_minor, currency, fee_pct, revision, reason_code, created_at,
  updated_at, confirm_mode, hold_until, answer_by, cancel_until, cancelled_by,
  case when status = 'offered' then (
    select json_build_object('slot_time', o.slot_time, 'starts_at', o.starts_at, 'ends_at', o.ends_at)
    from venue_offer o where o.booking_id = booking_view.id) end as offer,
  case when status = 'confirmed' and confirm_mode = 'http' then (
    select json_build_object('slot_time', c.slot_time, 'starts_at', c.starts_at, 'ends_at', c.ends_at,
      'party_size', c.party_size, 'answer_by', b.answer_by)
    from booking_change c join booking b on b.id = c.booking_id
    where c.booking_id = booking_view.id) end as change,
  (select group_id from group_member where booking_id = booking_view.id) as group_id,
  (select reminders from request where booking_id = booking_view.id) as reminders`

const offer = z.object({
  slot_time: z.string(),
  starts_at: z.coerce.date(),
  ends_at: z.coerce.date(),
})

const change = offer.extend({ party_size: z.int(), answer_by: z.coerce.date() })

/** A row as the public booking. */
export const viewRow = z
  .object({
    id: z.uuid(),
    status: z.enum(bookingStatuses),
    venue_id: z.uuid(),
    venue_slug: z.string(),
    venue_name: z.string(),
    slot_time: z.string(),
    timezone: z.string(),
    starts_at: z.date(),
    ends_at: z.date().nullable(),
    party_size: z.int(),
    fee_status: z.enum(feeStatuses),
    fee_amount_minor: z.int(),
    currency: z.string(),
    fee_pct: z.number().nullable(),
    revision: z.int(),
    reason_code: z.string().nullable(),
    created_at: z.date(),
    updated_at: z.date(),
    confirm_mode: z.enum(confirmModes),
    hold_until: z.date().nullable(),
    answer_by: z.date().nullable(),
    cancel_until: z.date().nullable(),
    cancelled_by: z.enum(cancellers).nullable(),
    offer: offer.nullable(),
    change: change.nullable(),
    group_id: z.uuid().nullable(),
    reminders: reminderMinutes,
  })
  .transform(
    (row): Booking => ({
      id: row.id,
      status: row.status,
      venue: { id: row.venue_id, slug: row.venue_slug, name: row.venue_name },
      slot_time: row.slot_time,
      timezone: row.timezone,
      utc_offset: utcOffset(row.timezone, row.starts_at),
      starts_at: row.starts_at.toISOString(),
      ends_at: row.ends_at?.toISOString() ?? null,
      party_size: row.party_size,
      fee: {
        amount_minor: row.fee_amount_minor,
        currency: row.currency,
        pct: row.fee_pct ?? 0,
        status: row.fee_status,
      },
      revision: row.revision,
      reason_code: row.reason_code,
      confirm_mode: row.confirm_mode,
      hold_until: row.hold_until?.toISOString() ?? null,
      answer_by: row.answer_by?.toISOString() ?? null,
      offer: row.offer && {
        slot_time: row.offer.slot_time,
        starts_at: row.offer.starts_at.toISOString(),
        ends_at: row.offer.ends_at.toISOString(),
        answer_by: row.answer_by?.toISOString() ?? '',
      },
      change: row.change && {
        slot_time: row.change.slot_time,
        starts_at: row.change.starts_at.toISOString(),
        ends_at: row.change.ends_at.toISOString(),
        party_size: row.change.party_size,
        answer_by: row.change.answer_by.toISOString(),
      },
      cancel_until: row.cancel_until?.toISOString() ?? null,
      cancelled_by: row.cancelled_by,
      group_id: row.group_id,
      reminders: [...(row.reminders ?? defaultReminders)],
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }),
  )

/** The public booking, available as soon as its request is stored. */
export async function selectBooking(db: Db, id: string): Promise<Booking> {
  return queryRow(db, viewRow)`select ${viewColumns} from booking_view where id = ${id}`
}

/** The public booking, if it is the account's. */
export async function selectOptionalBookingOf(
  db: Db,
  accountId: string,
  id: string,
): Promise<Booking | undefined> {
  return queryOptionalRow(db, viewRow)`
    select ${viewColumns} from booking_view where id = ${id} and account_id = ${accountId}`
}
