import { createHash, randomUUIDv7 } from 'node:crypto'
import canonicalize from 'canonicalize'
import { accountOf, type Context } from '../../contract/define.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { JOIN_MINUTES } from '../rules/booking.ts'
import type { ConfirmAnswer } from '../rules/booking-messages.ts'
import { type GuestDetails, guestKeptUntil } from '../store/guests.ts'
import {
  type EarlierRequest,
  insertRequest,
  type NewRequest,
  selectOptionalEarlierRequest,
} from '../store/requests.ts'

/** What an agent asked for, whichever door it came through: the whole body but for key and wait. */
export type BookingRequest = {
  venue_id: string
  slot_time: string
  party_size: number
  guest?: { name: string; phone?: string | undefined; email?: string | undefined } | undefined
  guest_ref?: string | undefined
  notes?: string | undefined
  reminders?: number[] | undefined
}

/** The request to go on with: new, or an earlier one that this call repeats. */
export type Recorded = {
  bookingId: string
  answer: ConfirmAnswer | null
  repeats: 'nothing' | 'key' | 'equal request'
}

/** What a new booking begins as: confirmed at once, or held until it is confirmed. */
type Opens = NewRequest['operation']

/**
 * Writes the request down before anything else happens, or finds the one it repeats: the same idempotency key or, without
 * a key, an equal request of the last 15 minutes. Throws `idempotency_mismatch` or `duplicate_booking`.
 */
export async function recordRequest(
  ctx: Context,
  operation: Opens,
  asked: BookingRequest,
  slot: { local: string; startsAt: Date },
  idempotencyKey: string | null,
): Promise<Recorded> {
  const request = newRequest(ctx, operation, asked, slot, idempotencyKey)
  // An equal request can end between the two statements; then this one is new after all.
  for (;;) {
    if (await insertRequest(ctx.db, request)) {
      return { bookingId: request.bookingId, answer: null, repeats: 'nothing' }
    }
    const earlier = await selectOptionalEarlierRequest(ctx.db, request)
    if (earlier) return join(ctx, request, earlier)
  }
}

function join(ctx: Context, request: NewRequest, earlier: EarlierRequest): Recorded {
  const { booking_id, operation, answer, body_hash, created_at } = earlier
  const isEqual = operation === request.operation && body_hash.equals(request.bodyHash)
  if (request.idempotencyKey !== null) {
    if (isEqual) return { bookingId: booking_id, answer, repeats: 'key' }
    const isBooking = operation === 'confirm' || operation === 'hold'
    throw refuse('idempotency_mismatch', undefined, isBooking ? { booking_id } : {})
  }
  if (operation !== request.operation) {
    const what = `You have ${operation === 'hold' ? 'held' : 'booked'} this slot already.`
    throw refuse('duplicate_booking', what, {
      booking_id,
      ...(operation === 'hold' && { hold_id: booking_id }),
    })
  }
  const ageMinutes = (ctx.at.getTime() - created_at.getTime()) / 60_000
  if (ageMinutes >= JOIN_MINUTES) throw refuse('duplicate_booking', undefined, { booking_id })
  return { bookingId: booking_id, answer, repeats: 'equal request' }
}

/** Who comes and what they ask for, as it is kept: null when nothing was said. */
export function guestOf(
  { guest, notes }: Pick<BookingRequest, 'guest' | 'notes'>,
  startsAt: Date,
): GuestDetails | null {
  if (!guest && !notes) return null
  const details = { ...guest, ...(notes && { notes }) }
  return { details, eraseAfter: guestKeptUntil(startsAt) }
}

function newRequest(
  ctx: Context,
  operation: Opens,
  asked: BookingRequest,
  slot: { local: string; startsAt: Date },
  idempotencyKey: string | null,
): NewRequest {
  const { venue_id, party_size, guest, guest_ref = null, notes, reminders } = asked
  const natural = [ctx.from, guest_ref, venue_id, slot.local, party_size]
  return {
    bookingId: randomUUIDv7(),
    accountId: accountOf(ctx).id,
    operation,
    idempotencyKey,
    bodyHash: hash(asked),
    naturalKey: idempotencyKey === null ? hash(natural) : null,
    door: ctx.door,
    fromAgent: ctx.from,
    guestRef: guest_ref,
    venueId: venue_id,
    slotTime: slot.local,
    partySize: party_size,
    guest: guestOf({ guest, notes }, slot.startsAt),
    reminders,
    at: ctx.at,
  }
}

/** Of the whole body. RFC 8785: equal JSON has equal bytes, whatever the order of its members. */
export const hash = (value: unknown): Buffer =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest()
