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
import { refusalBy } from '../steps/similar.ts'
import { type GuestDetails, guestKeptUntil } from '../store/guests.ts'
import {
  clearNaturalKey,
  type EarlierRequest,
  insertRequest,
  type NewRequest,
  selectOptionalEarlierRequest,
} from '../store/requests.ts'
import { selectOptionalSimilar } from '../store/similar.ts'
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
 * `idempotency_mismatch`.
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
    if (!earlier) continue
    if (isRepeated(ctx, earlier)) return repeatOf(request, { earlier, by: 'content' }, digest)
    // It comes too late to join, so it is compared with the booking of the earlier one.
    await clearNaturalKey(ctx.db, earlier.booking_id)
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

/**
 * The account's earlier request that this one repeats, by key or else by content. Throws
 * `similar_booking` if there is none, but a similar booking.
 */
export async function findRepeated(
  ctx: Context,
  request: BookingRequest,
  key: string | null = null,
): Promise<EarlierRequest | undefined> {
  const found = await findSlot(ctx, request)
  const row = newRequest(ctx, 'confirm', found, { key })
  const earlier = await selectOptionalEarlierRequest(ctx.db, row)
  if (earlier && isRepeated(ctx, earlier)) return earlier
  await refuseSimilar(ctx, found)
  return undefined
}

/**
 * Throws `similar_booking` before anything is paid for or held. The step that holds the slot checks
 * it again, under a lock and with the length of its service.
 */
export async function refuseSimilar(
  ctx: Context,
  { body, venue, slot }: FoundSlot<BookingRequest>,
): Promise<void> {
  if (body.also) return
  const { id: venueId } = venue
  const start = { bookingId: randomUUIDv7(), accountId: accountOf(ctx).id, venueId }
  const span = { startsAt: slot.startsAt, endsAt: new Date(slot.startsAt.getTime() + 1) }
  const guest = { ...body.guest, guest_ref: body.guest_ref }
  const one = { ...start, partySize: body.party_size, ...span, guest }
  const similar = await selectOptionalSimilar(ctx.db, one, ctx.at)
  if (similar) throw new Refusal(refusalBy(similar))
}

/** The answer to the earlier request; throws if it has the same key or payment but differs. */
export function repeatOf(
  { operation, idempotency_key }: Unhashed,
  { earlier, by }: Repeated,
  digest: BodyDigest,
): Recorded {
  if (by === 'payment') return replayOf(operation, earlier, digest, 'payment_reused')
  if (idempotency_key !== null) return replayOf(operation, earlier, digest)
  return { booking_id: earlier.booking_id, answer: earlier.answer, repeats: { joined: true } }
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

/** A key repeats its request; equal content does for a while, and a hold only while it is live. */
function isRepeated({ at }: Context, earlier: EarlierRequest): boolean {
  const { by_key, operation, status, created_at } = earlier
  const isRecent = at.getTime() - created_at.getTime() < JOIN_MINUTES * MINUTE_MS
  return by_key || (isRecent && (operation !== 'hold' || status === null || status === 'held'))
}

export function newRequest(
  ctx: Context,
  operation: NewRequest['operation'],
  { body, slot, wish }: FoundSlot<BookingRequest>,
  { key: idempotency_key, payment }: { key: string | null; payment?: RequestPayment | undefined },
): Unhashed {
  const { venue_id, party_size, guest_ref = null, reminders, also } = body
  return {
    booking_id: randomUUIDv7(),
    account_id: accountOf(ctx).id,
    operation,
    idempotency_key,
    natural_key: idempotency_key === null ? naturalKeyOf([operation, ctx.from, body]) : null,
    door: ctx.door,
    from_agent: ctx.from,
    guest_ref,
    venue_id,
    slot_time: slot.local,
    party_size,
    guest: guestOf(body, slot.startsAt),
    reminders,
    also,
    wish,
    paid_by: payment ? 'x402' : null,
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
 * The key by which two requests count as equal. The row holds its parts in clear text
 * and is erased with it, so no secret is needed. Key rotation must not change it.
 */
export const naturalKeyOf = (parts: readonly unknown[]): Buffer =>
  createHash('sha256')
    .update(canonicalize(parts) ?? '')
    .digest()
