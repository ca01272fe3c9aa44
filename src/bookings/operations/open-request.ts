import { invalidRequest } from '../../base/errors.ts'
import { asksForOutcome, outcomeOf, outcomes, SHORT_HOLD_MS } from '../../base/sandbox.ts'
import { digestOf } from '../../contract/idempotency.ts'
import { accountOf, isTest, ofAccount, presentOf } from '../../contract/operation.ts'
import type { OwnBooking } from '../../contract/public.ts'
import { onClock } from '../../platform/database/account-time.ts'
import { perDatabase } from '../../platform/database/cache.ts'
import { createKeyedQueue } from '../../platform/process/turns.ts'
import type { BookingContext } from '../engine.ts'
import type { BookingStart, ConfirmAnswer } from '../rules/booking-messages.ts'
import { isUnattended, whileWaiting } from '../rules/pending.ts'
import { ownBookingOf } from '../steps/guest-link.ts'
import { refuseTaken } from '../steps/refuse-taken.ts'
import { selectBookingStart } from '../store/booking-starts.ts'
import { selectOwnBooking } from '../store/booking-view.ts'
import { selectOptionalAnswer } from '../store/requests.ts'
import { chosenNote } from './chosen-service.ts'
import { findSlot } from './requested-slot.ts'
import {
  type BookingRequest,
  newRequest,
  type Repeated,
  type Repeats,
  type RequestPayment,
  record,
  repeatedRefusal,
  repeatOf,
} from './store-request.ts'
import { unlessUnattended } from './unless-far-off.ts'

/** A request's key, wait and payment. */
type Asking = {
  key: string | null | undefined
  wait: number
  payment?: RequestPayment
  /** the earlier request that this one repeats; nothing new is then stored */
  repeats?: Repeated
}

/** The final answer, or the pending booking. */
export type Opened = Repeats &
  (
    | ReturnType<typeof undecided<ReturnType<typeof pending>>>
    | { status?: never; booking: OwnBooking; chosen?: string | undefined }
  )

/**
 * Books or holds a slot: stores the request, lets its workflow decide and waits up to `wait`
 * seconds for the answer. Throws the refusal if the request is refused.
 */
export async function openRequest(
  ctx: BookingContext,
  operation: 'confirm' | 'hold',
  input: BookingRequest,
  { key = null, wait, payment, repeats: earlier }: Asking,
): Promise<Opened> {
  const found = await findSlot(ctx, input)
  const { venue, slot, wish, body } = found
  refuseUnknownOutcome(ctx, input.guest_ref)
  const digest = digestOf(ctx, body)
  const newRow = newRequest(ctx, operation, found, { key, payment })
  const request = earlier
    ? repeatOf(newRow, earlier, digest)
    : await record(ctx, { ...newRow, body_hash: digest.newest }, digest, payment)
  const start: BookingStart = {
    bookingId: request.booking_id,
    ...ofAccount(accountOf(ctx)),
    ...onClock(ctx.account?.clock_ahead_ms),
    venueId: venue.id,
    venueSlug: venue.slug,
    venueName: venue.name,
    slotTime: slot.local,
    timezone: venue.timezone,
    startsAt: slot.startsAt.toISOString(),
    partySize: body.party_size,
    ...wish,
    ...(operation === 'hold' && { purpose: operation, ...holdTerms(ctx, input.guest_ref) }),
    ...(payment && { payment: payment.quoted }),
  }
  const { repeats } = request
  const isNew = !repeats.joined && !repeats.replayed
  const answer = request.answer ?? (await decide(ctx, await asStored(ctx, start, isNew), wait))
  if (!answer) {
    const booking = await selectOwnBooking(ctx.db, start.bookingId)
    const isKeyless = ctx.payment !== undefined && !ctx.actor
    const waiting = undecided(pending(ownBookingOf(ctx, booking), ctx.at, isKeyless))
    return { ...saidFirst(await chosenNote(ctx, found, booking), waiting), ...repeats }
  }
  if ('booking' in answer) {
    const { guest_ref = null, guest: { notify: guest_mails = false } = {} } = body
    const own = { guest_ref, guest_mails, place: venue.place }
    const chosen = await chosenNote(ctx, found, answer.booking)
    return { booking: ownBookingOf(ctx, { ...answer.booking, ...own }), chosen, ...repeats }
  }
  throw repeatedRefusal(answer.refusal, repeats)
}

/**
 * A repeated request may be the first to start the workflow; it then uses the stored payment. Only
 * the stored request says whether a card pays.
 */
const asStored = async (
  { db, authorizeFee }: BookingContext,
  start: BookingStart,
  isNew: boolean,
) => (isNew && !authorizeFee ? start : selectBookingStart(db, start.bookingId))

/** In a sandbox, a `guest_ref` in the form of an outcome must name a known outcome. */
function refuseUnknownOutcome(ctx: BookingContext, guestRef: string | undefined): void {
  if (!isTest(ctx) || guestRef === undefined || !asksForOutcome(guestRef)) return
  if (outcomeOf(guestRef)) return
  const names = Object.keys(outcomes).map((name) => `sandbox:${name}`)
  throw invalidRequest([{ pointer: '/guest_ref', detail: `expected one of ${names.join(', ')}` }])
}

/** In a sandbox, a hold can end almost immediately. */
const holdTerms = (ctx: BookingContext, guestRef: string | undefined) =>
  isTest(ctx) && outcomeOf(guestRef) === 'hold_expires' ? { holdMs: SHORT_HOLD_MS } : {}

/** Who must answer, by when, and what to do until then. */
export const pending = (booking: OwnBooking, at: Date, isKeyless = false) => ({
  status: 'pending' as const,
  booking,
  ...whileWaiting(booking, at, isKeyless),
})

/** The answer with a text that its `next` begins with, if there is one. */
export const saidFirst = <A extends { next?: string }>(text: string | undefined, answer: A): A =>
  text ? { ...answer, next: [text, answer.next].filter(Boolean).join(' ') } : answer

/** The answer while a booking is undecided; a venue's other time is for the agent to answer. */
export const undecided = <A extends { booking: OwnBooking }>(answer: A) => ({
  ...answer,
  status: answer.booking.status === 'offered' ? ('offered' as const) : ('pending' as const),
})

/** Workflows that may compete for one slot at a time; 64 for a single table took up to 18 s. */
const DECIDED_CONCURRENCY = 8
/** Long enough to take the slot even on a busy machine, however long the venue then takes. */
const DECIDING_MS = 2_000
const MAX_TURN_SECONDS = 2

const turns = perDatabase(() =>
  createKeyedQueue({ atOnce: DECIDED_CONCURRENCY, aheadMs: DECIDING_MS }),
)

/** In a rush for a slot, decides a few requests at a time; the rest are refused once it is gone. */
const decide = (ctx: BookingContext, start: BookingStart, wait: number) =>
  turns(ctx.db)<ConfirmAnswer | null>(`${start.venueId} ${start.slotTime}`, {
    work: () => awaitAnswer(ctx, start, wait),
    instead: () => refuseTaken(ctx.db, start, ctx.at),
    patienceMs: Math.min(wait, MAX_TURN_SECONDS) * 1000,
  })

/** The answer within `wait` seconds, or one stored just after; null if there is none. */
async function awaitAnswer(ctx: BookingContext, start: BookingStart, wait: number) {
  const confirming = ctx.engine
    .confirm(start, wait)
    .then((answer) => (answer === 'pending' ? null : answer))
  const answer = await unlessUnattended(confirming, () => isPersonUnattended(ctx, start.bookingId))
  return answer ?? selectOptionalAnswer(ctx.db, start.bookingId)
}

/** Whether the booking awaits a person who is not at the venue at the moment. */
export const isPersonUnattended = async (
  ctx: BookingContext,
  bookingId: string,
): Promise<boolean> => isUnattended(await selectOwnBooking(ctx.db, bookingId), presentOf(ctx))
