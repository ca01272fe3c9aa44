import { z } from 'zod'
import { type BookingStatus, bookingStatuses, canMove } from '../model/booking.ts'
import type { BookingStart, BookingState } from '../model/booking-messages.ts'
import { type Db, queryOptionalRow, queryRow, queryRows } from './sql.ts'

const stateRow = z
  .object({ status: z.enum(bookingStatuses), next_action_at: z.date().nullable() })
  .transform(
    (row): BookingState => ({
      status: row.status,
      nextActionAt: row.next_action_at?.toISOString() ?? null,
    }),
  )

/** Where the booking stands, or undefined before it holds anything. */
export async function selectOptionalBookingState(
  db: Db,
  id: string,
): Promise<BookingState | undefined> {
  return queryOptionalRow(
    db,
    stateRow,
    'select status, next_action_at from booking where id = $1',
    [id],
  )
}

export type NewBooking = {
  start: BookingStart
  offeringId: string
  ruleVersion: number
  startsAt: Date
  endsAt: Date
  cancelUntil: Date
  at: Date
}

/** A booking begins held, at revision 1, with its workflow's next action due at once. */
export async function insertHeldBooking(tx: Db, booking: NewBooking): Promise<BookingState> {
  return queryRow(
    tx,
    stateRow,
    `insert into booking (id, account_id, venue_id, offering_id, rule_version, status, revision,
       slot_time, starts_at, ends_at, party_size, cancel_until, next_action_at, created_at,
       updated_at)
     values ($1, $2, $3, $4, $5, 'held', 1, $6, $7, $8, $9, $10, $11, $11, $11)
     returning status, next_action_at`,
    [
      booking.start.bookingId,
      booking.start.accountId,
      booking.start.venueId,
      booking.offeringId,
      booking.ruleVersion,
      booking.start.slotTime,
      booking.startsAt,
      booking.endsAt,
      booking.start.partySize,
      booking.cancelUntil,
      booking.at,
    ],
  )
}

const lockedRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  status: z.enum(bookingStatuses),
  revision: z.int(),
  starts_at: z.date(),
  ends_at: z.date(),
  party_size: z.int(),
  next_action_at: z.date().nullable(),
  spend_per_guest_minor: z.int(),
  currency: z.string(),
  is_demo: z.boolean(),
})
export type LockedBooking = z.infer<typeof lockedRow>

/** The booking with what a step needs to decide on it, locked until the transaction ends. */
export async function selectBookingForUpdate(tx: Db, id: string): Promise<LockedBooking> {
  return queryRow(
    tx,
    lockedRow,
    `select b.id, b.account_id, b.status, b.revision, b.starts_at, b.ends_at, b.party_size,
       b.next_action_at, (o.rules ->> 'spend_per_guest_minor')::bigint as spend_per_guest_minor,
       a.currency, v.is_demo
     from booking b
     join offering_rules o on o.offering_id = b.offering_id and o.version = b.rule_version
     join venue v on v.id = b.venue_id
     join area a on a.slug = v.area_slug
     where b.id = $1
     for update of b`,
    [id],
  )
}

export type Move = {
  to: BookingStatus
  nextActionAt: Date | null
  reasonCode?: string
  feeAccrued?: boolean
  at: Date
}

/** Compare-and-set on status and revision, along the moves that there are; throws otherwise, and the step is tried anew. */
export async function updateBookingStatus(
  tx: Db,
  from: Pick<LockedBooking, 'id' | 'status' | 'revision'>,
  move: Move,
): Promise<BookingState> {
  if (!canMove(from.status, move.to)) throw new Error(`no move from ${from.status} to ${move.to}`)
  return queryRow(
    tx,
    stateRow,
    `update booking set status = $4, revision = revision + 1, next_action_at = $5,
       reason_code = coalesce($6, reason_code), updated_at = $7,
       fee_status = case when $8 then 'accrued' else fee_status end
     where id = $1 and status = $2 and revision = $3
     returning status, next_action_at`,
    [
      from.id,
      from.status,
      from.revision,
      move.to,
      move.nextActionAt,
      move.reasonCode ?? null,
      move.at,
      move.feeAccrued ?? false,
    ],
  )
}

const lostRow = z
  .object({
    booking_id: z.uuid(),
    account_id: z.uuid(),
    venue_id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    slot_time: z.string(),
    timezone: z.string(),
    starts_at: z.date(),
    party_size: z.int(),
  })
  .transform(
    (row): BookingStart => ({
      bookingId: row.booking_id,
      accountId: row.account_id,
      venueId: row.venue_id,
      venueSlug: row.slug,
      venueName: row.name,
      slotTime: row.slot_time,
      timezone: row.timezone,
      startsAt: row.starts_at.toISOString(),
      partySize: row.party_size,
    }),
  )

/**
 * Requests without an answer and live bookings whose next action, each due before `dueBefore`, did not happen: their
 * workflow was never started, was terminated or is late. A page of at most `limit`, in the order of ids, after `after`.
 */
export async function selectLostBookings(
  db: Db,
  dueBefore: Date,
  page: { after: string | null; limit: number },
): Promise<BookingStart[]> {
  return queryRows(
    db,
    lostRow,
    `with lost as (
       select r.booking_id from request r
       where r.answer is null and r.created_at < $1
         and not exists (select from booking b where b.id = r.booking_id)
       union all
       select id from booking where next_action_at < $1
     )
     select r.booking_id, r.account_id, r.venue_id, v.slug, v.name, r.slot_time, a.timezone,
       r.slot_time at time zone a.timezone as starts_at, r.party_size
     from lost
     join request r using (booking_id)
     join venue v on v.id = r.venue_id
     join area a on a.slug = v.area_slug
     where $3::uuid is null or r.booking_id > $3
     order by r.booking_id
     limit $2`,
    [dueBefore, page.limit, page.after],
  )
}
