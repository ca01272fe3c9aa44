import { createHash, randomUUIDv7 } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { z } from 'zod'
import { type BodyDigest, digestOf } from '../../contract/idempotency.ts'
import { accountOf, type Context, isTest, presentOf } from '../../contract/operation.ts'
import type { OwnBooking } from '../../contract/public.ts'
import { MINUTE_MS } from '../../contract/rules/durations.ts'
import { invalidRequest, Refusal, type RefusalData, refuse } from '../../contract/rules/errors.ts'
import { asksForOutcome, outcomeOf, outcomes, SHORT_HOLD_MS } from '../../contract/rules/sandbox.ts'
import { onClock } from '../../platform/database/account-time.ts'
import { perDatabase } from '../../platform/database/cache.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import { createTurns } from '../../platform/process/turns.ts'
import { ownBookingOf } from '../guest-link.ts'
import { JOIN_MINUTES } from '../rules/booking.ts'
import type { BookingStart, ConfirmAnswer } from '../rules/booking-messages.ts'
import { isFarOff, whileWaiting } from '../rules/pending.ts'
import { refuseTaken } from '../steps/refuse-taken.ts'
import { selectBookingStart } from '../store/booking-starts.ts'
import { selectOwnBooking } from '../store/booking-view.ts'
import { type GuestDetails, guestKeptUntil } from '../store/guests.ts'
import {
  type EarlierRequest,
  insertRequest,
  type NewRequest,
  selectEarlierRequest,
  selectOptionalAnswer,
  selectOptionalEarlierRequest,
} from '../store/requests.ts'
import type { repeatable, slotRequest } from './booking-fields.ts'
import { findSlot } from './requested-slot.ts'
import { unlessFarOff } from './unless-far-off.ts'

/** The body of a booking request at any door, without key and wait. */
export type BookingRequest = Omit<z.output<typeof slotRequest>, keyof typeof repeatable>

/** Whether an answer is that of an earlier request, without a key or with the same. */
export type Repeats = { joined: boolean; replayed?: true }

/** A payment that a request comes with, and how it is stored with it. */
export type RequestPayment = {
  /** what was quoted */
  quoted: NonNullable<BookingStart['payment']>
  /** Part of the transaction that stores the request. */
  record(tx: Db, bookingId: string): Promise<void>
}

/** A request with its patience: how long the caller waits, and what it comes with. */
type Asking = {
  key: string | null | undefined
  wait: number
  payment?: RequestPayment
  /** the booking that this request is known to repeat */
  repeats?: string
}

/** The final answer, or the pending booking. */
export type Opened = Repeats &
  (ReturnType<typeof pending> | { status?: never; booking: OwnBooking })

/**
 * Books or holds a slot: stores the request, has its workflow decide and waits up to `wait` seconds
 * for the answer. Throws the refusal that it led to.
 */
export async function openRequest(
  ctx: Context,
  operation: 'confirm' | 'hold',
  given: BookingRequest,
  { key = null, wait, payment, repeats: known }: Asking,
): Promise<Opened> {
  const { venue, slot } = await findSlot(ctx, given)
  refuseUnknownOutcome(ctx, given.guest_ref)
  const body = { ...given, venue_id: venue.id, slot_time: slot.local }
  const digest = digestOf(ctx, body)
  const asked = newRequest(ctx, operation, body, slot, key)
  const request = known
    ? replayOf(operation, await selectEarlierRequest(ctx.db, known), digest)
    : await record(ctx, { ...asked, body_hash: digest.newest }, digest, payment)
  const start: BookingStart = {
    bookingId: request.booking_id,
    accountId: accountOf(ctx).id,
    ...onClock(ctx.account?.clock_ahead_ms),
    venueId: venue.id,
    venueSlug: venue.slug,
    venueName: venue.name,
    slotTime: slot.local,
    timezone: venue.timezone,
    startsAt: slot.startsAt.toISOString(),
    partySize: body.party_size,
    ...(operation === 'hold' && { purpose: operation, ...holdTerms(ctx, given.guest_ref) }),
    ...(payment && { payment: payment.quoted }),
  }
  const { repeats } = request
  const isNew = !repeats.joined && !repeats.replayed
  const answer = request.answer ?? (await decide(ctx, await asStored(ctx, start, isNew), wait))
  if (!answer) {
    const stored = await selectOwnBooking(ctx.db, start.bookingId)
    return { ...pending(ownBookingOf(ctx, stored), ctx.at), ...repeats }
  }
  if ('booking' in answer) {
    const { guest_ref = null, guest: { notify: guest_mails = false } = {} } = body
    return { booking: ownBookingOf(ctx, { ...answer.booking, guest_ref, guest_mails }), ...repeats }
  }
  throw repeatedRefusal(answer.refusal, repeats)
}

/** A repeated request may be the first to start its workflow: with the payment of the first one. */
const asStored = async ({ db }: Context, start: BookingStart, isNew: boolean) =>
  isNew ? start : selectBookingStart(db, start.bookingId)

/** In a sandbox, a `guest_ref` that looks like an outcome must be one. */
function refuseUnknownOutcome(ctx: Context, guestRef: string | undefined): void {
  if (!isTest(ctx) || guestRef === undefined || !asksForOutcome(guestRef)) return
  if (outcomeOf(guestRef)) return
  const names = Object.keys(outcomes).map((name) => `sandbox:${name}`)
  throw invalidRequest([{ pointer: '/guest_ref', detail: `expected one of ${names.join(', ')}` }])
}

/** In a sandbox a hold can end almost at once. */
const holdTerms = (ctx: Context, guestRef: string | undefined) =>
  isTest(ctx) && outcomeOf(guestRef) === 'hold_expires' ? { holdMs: SHORT_HOLD_MS } : {}

/** A refusal, with a note when it is the answer to an earlier request. */
export function repeatedRefusal(refusal: RefusalData, { joined, replayed }: Repeats): Refusal {
  const notes = { ...(joined && { joined }), ...(replayed && { replayed }) }
  return new Refusal({ ...refusal, facts: { ...refusal.facts, ...notes } })
}

/** Who answers, by when, and what to do until then. */
export const pending = (booking: OwnBooking, at: Date) => ({
  status: 'pending' as const,
  booking,
  ...whileWaiting(booking, at),
})

type Recorded = { booking_id: string; answer: ConfirmAnswer | null; repeats: Repeats }

/**
 * Stores the request before anything else happens, or finds the one it repeats: by its idempotency
 * key or, without one, by an equal request of the last 15 minutes. Throws `idempotency_mismatch` or
 * `duplicate_booking`.
 */
async function record(
  ctx: Context,
  request: NewRequest,
  digest: BodyDigest,
  payment?: RequestPayment,
): Promise<Recorded> {
  // The equal request can end between the two statements; then this one is new after all.
  for (;;) {
    if (await insert(ctx.db, request, payment)) {
      return { booking_id: request.booking_id, answer: null, repeats: { joined: false } }
    }
    const earlier = await selectOptionalEarlierRequest(ctx.db, request)
    if (earlier) return deduplicated(ctx, request, earlier, digest)
  }
}

/** With a payment both are stored, or neither. */
const insert = (db: Pool, request: NewRequest, payment?: RequestPayment): Promise<boolean> =>
  payment
    ? transaction(db, async (tx) => {
        const isNew = await insertRequest(tx, request)
        if (isNew) await payment.record(tx, request.booking_id)
        return isNew
      })
    : insertRequest(db, request)

/** Whether the account has made this request before, by its key or else by its content. */
export async function isRepeated(
  ctx: Context,
  given: BookingRequest,
  key: string | null = null,
): Promise<boolean> {
  const { venue, slot } = await findSlot(ctx, given)
  const body = { ...given, venue_id: venue.id, slot_time: slot.local }
  const request = { ...newRequest(ctx, 'confirm', body, slot, key), body_hash: Buffer.alloc(0) }
  return (await selectOptionalEarlierRequest(ctx.db, request)) !== undefined
}

function deduplicated(
  ctx: Context,
  request: NewRequest,
  earlier: EarlierRequest,
  digest: BodyDigest,
): Recorded {
  const { booking_id, operation, answer, body_hash } = earlier
  if (request.idempotency_key !== null) return replayOf(request.operation, earlier, digest)
  const isEqual = operation === request.operation && digest.equals(body_hash)
  if (!isEqual || !isJoinable(ctx, earlier)) throw duplicateOf(earlier)
  return { booking_id, answer, repeats: { joined: true } }
}

/** The request of the same key, or the same payment; throws if it asked for something else. */
function replayOf(
  asked: NewRequest['operation'],
  { booking_id, operation, answer, body_hash }: EarlierRequest,
  digest: BodyDigest,
): Recorded {
  if (operation === asked && digest.equals(body_hash)) {
    return { booking_id, answer, repeats: { joined: false, replayed: true } }
  }
  const isBooking = operation === 'confirm' || operation === 'hold'
  throw refuse('idempotency_mismatch', undefined, isBooking ? { booking_id } : {})
}

/** A hold is joined only as long as it is one: its confirmation may have been for another guest. */
function isJoinable({ at }: Context, { operation, status, created_at }: EarlierRequest): boolean {
  const isRecent = at.getTime() - created_at.getTime() < JOIN_MINUTES * MINUTE_MS
  return isRecent && (operation !== 'hold' || status === null || status === 'held')
}

/** `duplicate_booking`, with what the account has. */
function duplicateOf({ booking_id, status, guest_ref }: EarlierRequest): Refusal {
  const isHeld = status === 'held'
  const what = `You have already ${isHeld ? 'held' : 'booked'} this slot for a party of this size.`
  const hold = isHeld && { hold_id: booking_id }
  const facts = { booking_id, booking_status: status ?? 'pending', guest_ref, ...hold }
  return refuse('duplicate_booking', what, facts)
}

function newRequest(
  ctx: Context,
  operation: NewRequest['operation'],
  body: BookingRequest,
  slot: { local: string; startsAt: Date },
  idempotency_key: string | null,
): Omit<NewRequest, 'body_hash'> {
  const { venue_id, party_size, guest_ref = null, reminders } = body
  const natural = [ctx.from, guest_ref, venue_id, slot.local, party_size]
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
    at: ctx.at,
  }
}

/**
 * The guest's details as stored; null when nothing was said that must be erased. A reference alone
 * is stored with the request, and erased with the details.
 */
export function guestOf(
  { guest, notes, guest_ref }: Pick<BookingRequest, 'guest' | 'notes' | 'guest_ref'>,
  startsAt: Date,
): GuestDetails | null {
  if (!guest && !notes && guest_ref === undefined) return null
  return { details: { ...guest, ...(notes && { notes }) }, eraseAfter: guestKeptUntil(startsAt) }
}

/**
 * What makes two requests the same booking. Its parts are in the row as they are, and are erased
 * with it, so this needs no key; it must not change with the keys either.
 */
export const naturalKeyOf = (parts: readonly unknown[]): Buffer =>
  createHash('sha256')
    .update(canonicalize(parts) ?? '')
    .digest()

/** Requests for one slot that have workflows at a time: 64 for one table took up to 18 s. */
const DECIDED_AT_ONCE = 8
/** The slot is taken by then, also on a busy machine, however long the venue has to answer. */
const DECIDING_MS = 2_000
const MAX_TURN_SECONDS = 2

const turns = perDatabase(() => createTurns({ atOnce: DECIDED_AT_ONCE, aheadMs: DECIDING_MS }))

/** In a rush for a slot a few are decided at a time; a look tells the others that it is gone. */
const decide = (ctx: Context, start: BookingStart, wait: number) =>
  turns(ctx.db)<ConfirmAnswer | null>(`${start.venueId} ${start.slotTime}`, {
    work: () => awaitAnswer(ctx, start, wait),
    instead: () => refuseTaken(ctx.db, start, ctx.at),
    patienceMs: Math.min(wait, MAX_TURN_SECONDS) * 1000,
  })

/** The answer within `wait` seconds, or one that was stored just then; null when there is none. */
async function awaitAnswer(ctx: Context, start: BookingStart, wait: number) {
  const asked = ctx.engine
    .confirm(start, wait)
    .then((answer) => (answer === 'pending' ? null : answer))
  const answer = await unlessFarOff(asked, () => isPersonFarOff(ctx, start.bookingId))
  return answer ?? selectOptionalAnswer(ctx.db, start.bookingId)
}

/** Whether the booking waits for a person who is not there now. */
export const isPersonFarOff = async (ctx: Context, bookingId: string): Promise<boolean> =>
  isFarOff(await selectOwnBooking(ctx.db, bookingId), presentOf(ctx))
