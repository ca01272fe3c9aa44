import { randomUUID } from 'node:crypto'
import { DAY_MS } from '../../src/base/durations.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import type { DecidedStatus } from '../../src/confirmation/rules/venue-responses.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import { markChangeSent } from '../../src/confirmation/store/open-changes.ts'
import { claimOptionalVenueRequest } from '../../src/confirmation/store/venue-requests.ts'
import { insertDecision } from '../../src/confirmation/store/venue-responses.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { type Outcome, outcomeOf, type World } from './world.ts'

/** A day after the start, when every booking in an arena has ended. */
export const afterEnd = ({ startsAt }: BookingStart): Date =>
  new Date(Date.parse(startsAt) + DAY_MS)

/** A day from now: past every `answer_by`, before any slot. */
export const longAfterAnswerBy = (): Date => new Date(Date.now() + DAY_MS)

let lastResponse = 0
let laterResponses = 0

/** Distinct times: no two responses about a booking have the same time. */
function nextResponseTime(at?: Date): Date {
  if (at) {
    laterResponses += 1
    return new Date(at.getTime() + laterResponses)
  }
  lastResponse = Math.max(Date.now(), lastResponse + 1)
  return new Date(lastResponse)
}

type ResponseOptions = {
  /** the time that the venue proposes, with `offered` */
  offered?: string
  /** when the venue responds, if later than now */
  at?: Date
}

/** Asks the venue, records this response and applies it at once. */
export async function venueResponds(
  world: World,
  start: BookingStart,
  status: DecidedStatus,
  { offered, at }: ResponseOptions = {},
): Promise<Outcome> {
  const { bookingId } = start
  const answeredAt = nextResponseTime(at)
  const question = await sendRequest(world, start)
  await insertDecision(world.db, {
    id: `msg_${randomUUID()}`,
    bookingId,
    revision: question?.asked_revision ?? 0,
    status,
    answeredAt,
    receivedAt: answeredAt,
    offeredSlotTime: offered,
  })
  return applyResponses(world, start, answeredAt)
}

/** Asks the venue and lets its deadline pass. */
export async function venueTimesOut(world: World, start: BookingStart): Promise<Outcome> {
  await sendRequest(world, start)
  return applyResponses(world, start, longAfterAnswerBy())
}

/** Marks the open request as sent to a connector; staff read it on their page. */
async function sendRequest({ db }: World, { bookingId }: BookingStart) {
  const question = await claimOptionalVenueRequest(db, bookingId)
  if (question?.url) await markChangeSent(db, bookingId)
  return question
}

/** Applies the responses so far, as of `at`. A hold is answered when made; its end is no answer. */
export async function applyResponses(
  world: World,
  start: BookingStart,
  at: Date,
): Promise<Outcome> {
  const { answer, state } = await applyVenueResponses(world.db, start, stepDeps, at)
  return outcomeOf(world, start, { answer: start.purpose === 'hold' ? null : answer, state })
}
