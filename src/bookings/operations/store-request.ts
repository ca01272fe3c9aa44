import { createHash, randomUUIDv7 } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { z } from 'zod'
import { MINUTE_MS } from '../../base/durations.ts'
import { Refusal, type RefusalData, refuse } from '../../base/errors.ts'
import type { BodyDigest } from '../../contract/idempotency.ts'
import { accountOf, type Context } from '../../contract/operation.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import { JOIN_MINUTES } from '../rules/booking.ts'
import type { BookingStart, ConfirmAnswer } from '../rules/booking-messages.ts'
import { type GuestDetails, guestKeptUntil } from '../store/guests.ts'
import {
  type EarlierRequest,
  insertRequest,
  type NewRequest,
  selectOptionalEarlierRequest,
} from '../store/requests.ts'
import type { repeatable, slotRequest } from './booking-fields.ts'
import { type FoundSlot, findSlot } from './requested-slot.ts'

/** The body of a booking request at any door, without its key and wait. */
export type BookingRequest = Omit<z.output<typeof slotRequest>, keyof typeof repeatable>

/** Whether an answer is an earlier request's, found by content (`joined`) or key (`replayed`). */
export type Repeats = { joined: boolean; replayed?: true }

/** A payment that comes with a request, and the write that stores it. */
export type RequestPayment = {
  /** the quoted amount */
  quoted: NonNullable<BookingStart['payment']>
  /** Runs in the transaction that stores the request. */
  record(tx: Db, bookingId: string): Promise<void>
}

/** An earlier request, and whether this one shares its payment or only its content. */
export type Repeated = { earlier: EarlierRequest; by: 'payment' | 'content' }

/** A refusal, with a note if it repeats the answer to an earlier request. */
export function repeatedRefusal(refusal: RefusalData, { joined, replayed }: Repeats): Refusal {
  const notes = { ...(joined && { joined }), ...(replayed && { replayed }) }
  return new Refusal({ ...refusal, facts: { ...refusal.facts, ...notes } })
}

type Unhashed = Omit<NewRequest, 'body_hash'>
type Recorded = { booking_id: string; answer: ConfirmAnswer | null; repeats: Repeats }

/**
 * Stores the request before anything else happens, or finds the request that it repeats: by its
 * idempotency key or, without one, by equal content within the last 15 minutes. Throws
 * `idempotency_mismatch` or `duplicate_booking`.
 */
export async function record(
  ctx: Context,
  request: NewRequest,
  digest: BodyDigest,
  payment?: RequestPayment,
): Promise<Recorded> {
  // The equal request may end between the two statements, in which case this one is new after all.
  for (;;) {
    if (await insert(ctx.db, request, payment)) {
      return { booking_id: request.booking_id, answer: null, repeats: { joined: false } }
    }
    const earlier = await selectOptionalEarlierRequest(ctx.db, request)
    if (earlier) return deduplicated(ctx, request, earlier, digest)
  }
}

/** If there is a payment, stores it and the request together or not at all. */
const insert = (db: Pool, request: NewRequest, payment?: RequestPayment): Promise<boolean> =>
  payment
    ? transaction(db, async (tx) => {
        const isNew = await insertRequest(tx, request)
        if (isNew) await payment.record(tx, request.booking_id)
        return isNew
      })
    : insertRequest(db, request)

/** The account's earlier request that this one repeats, by key or else by content. */
export async function findRepeated(
  ctx: Context,
  request: BookingRequest,
  key: string | null = null,
): Promise<EarlierRequest | undefined> {
  const row = newRequest(ctx, 'confirm', await findSlot(ctx, request), key)
  return selectOptionalEarlierRequest(ctx.db, row)
}

export const repeatOf = (
  ctx: Context,
  request: Unhashed,
  { earlier, by }: Repeated,
  digest: BodyDigest,
): Recorded =>
  by === 'payment'
    ? replayOf(request.operation, earlier, digest, 'payment_reused')
    : deduplicated(ctx, request, earlier, digest)

function deduplicated(
  ctx: Context,
  request: Unhashed,
  earlier: EarlierRequest,
  digest: BodyDigest,
): Recorded {
  const { booking_id, operation, answer, body_hash } = earlier
  if (request.idempotency_key !== null) return replayOf(request.operation, earlier, digest)
  const isEqual = operation === request.operation && digest.equals(body_hash)
  if (!isEqual || !isJoinable(ctx, earlier)) throw duplicateOf(earlier)
  return { booking_id, answer, repeats: { joined: true } }
}

/** The request with the same key or payment; throws if its content differs. */
function replayOf(
  requested: NewRequest['operation'],
  { booking_id, operation, answer, body_hash }: EarlierRequest,
  digest: BodyDigest,
  mismatch: 'idempotency_mismatch' | 'payment_reused' = 'idempotency_mismatch',
): Recorded {
  if (operation === requested && digest.equals(body_hash)) {
    return { booking_id, answer, repeats: { joined: false, replayed: true } }
  }
  const isBooking = operation === 'confirm' || operation === 'hold'
  throw refuse(mismatch, undefined, isBooking ? { booking_id } : {})
}

/** Only a live hold can be joined: a confirmed one may be for another guest. */
function isJoinable({ at }: Context, { operation, status, created_at }: EarlierRequest): boolean {
  const isRecent = at.getTime() - created_at.getTime() < JOIN_MINUTES * MINUTE_MS
  return isRecent && (operation !== 'hold' || status === null || status === 'held')
}

/** `duplicate_booking`, with the account's booking. */
function duplicateOf({ booking_id, status, guest_ref }: EarlierRequest): Refusal {
  const isHeld = status === 'held'
  const what = `You have already ${isHeld ? 'held' : 'booked'} this slot for a party of this size.`
  const hold = isHeld && { hold_id: booking_id }
  const facts = { booking_id, booking_status: status ?? 'pending', guest_ref, ...hold }
  return refuse('duplicate_booking', what, facts)
}

export function newRequest(
  ctx: Context,
  operation: NewRequest['operation'],
  { body, slot, wish }: FoundSlot<BookingRequest>,
  idempotency_key: string | null,
): Unhashed {
  const { venue_id, party_size, guest_ref = null, reminders } = body
  const wishes = Object.values(wish).filter((one) => one !== undefined)
  const natural = [ctx.from, guest_ref, venue_id, slot.local, party_size, ...wishes]
  return {
    booking_id: randomUUIDv7(),
    account_id: accountOf(ctx).id,
    operation,
    idempotency_key,
    natural_key: idempotency_key === null ? naturalKeyOf(natural) : null,
    door: ctx.door,
    from_agent: ctx.from,
    guest_ref,
    venue_id,
    slot_time: slot.local,
    party_size,
    guest: guestOf(body, slot.startsAt),
    reminders,
    wish,
    at: ctx.at,
  }
}

/**
 * The guest's details as stored; null if there is nothing to erase. A reference alone is stored
 * with the request, and erased when details would be.
 */
export function guestOf(
  { guest, notes, guest_ref }: Pick<BookingRequest, 'guest' | 'notes' | 'guest_ref'>,
  startsAt: Date,
): GuestDetails | null {
  if (!guest && !notes && guest_ref === undefined) return null
  return { details: { ...guest, ...(notes && { notes }) }, eraseAfter: guestKeptUntil(startsAt) }
}

/**
 * The key by which two requests count as the same booking. The row holds its parts in clear text
 * and is erased with it, so no secret is needed. Key rotation must not change it.
 */
export const naturalKeyOf = (parts: readonly unknown[]): Buffer =>
  createHash('sha256')
    .update(canonicalize(parts) ?? '')
    .digest()
