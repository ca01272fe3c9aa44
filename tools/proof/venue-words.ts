import { randomUUID } from 'node:crypto'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import type { DecidedStatus } from '../../src/confirmation/rules/venue-responses.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import { markChangeSent } from '../../src/confirmation/store/open-changes.ts'
import { selectOptionalVenueRequest } from '../../src/confirmation/store/venue-requests.ts'
import { insertDecision } from '../../src/confirmation/store/venue-responses.ts'
import { markSent } from '../../src/confirmation/store/venue-sync.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { type Outcome, outcomeOf, type World } from './world.ts'

const DAY_MS = 86_400_000

/** A time at which every booking of an arena has long been over. */
export const afterItsEnd = ({ startsAt }: BookingStart): Date =>
  new Date(Date.parse(startsAt) + DAY_MS)

/** A time at which no venue that was asked just now may still answer, and no slot has begun. */
export const longAfterAnswerBy = (): Date => new Date(Date.now() + DAY_MS)

let lastSaid = 0
let saidLater = 0

/** The venue's clock: no two statements of a booking bear the same time. */
function sayingTime(at?: Date): Date {
  if (at) {
    saidLater += 1
    return new Date(at.getTime() + saidLater)
  }
  lastSaid = Math.max(Date.now(), lastSaid + 1)
  return new Date(lastSaid)
}

type Said = {
  /** the other time that it proposes, with `offered` */
  offered?: string
  /** later than now, for what a venue says of guests who did not come */
  at?: Date
}

/** The venue is asked and states this, and its statement is acted upon at once. */
export async function venueSays(
  world: World,
  start: BookingStart,
  status: DecidedStatus,
  { offered, at }: Said = {},
): Promise<Outcome> {
  const { bookingId } = start
  const answeredAt = sayingTime(at)
  const question = await ask(world, start)
  await insertDecision(world.db, {
    id: `msg_${randomUUID()}`,
    bookingId,
    revision: question?.asked_revision ?? 0,
    status,
    answeredAt,
    receivedAt: answeredAt,
    offeredSlotTime: offered,
  })
  return hearAt(world, start, answeredAt)
}

/** The venue is asked, and its time passes. */
export async function venueIsSilent(world: World, start: BookingStart): Promise<Outcome> {
  await ask(world, start)
  return hearAt(world, start, longAfterAnswerBy())
}

/** Puts to the venue what it is asked now: a system is sent it, people read it. */
async function ask({ db }: World, { bookingId }: BookingStart) {
  const question = await selectOptionalVenueRequest(db, bookingId)
  if (question?.url) {
    await markSent(db, bookingId)
    await markChangeSent(db, bookingId)
  }
  return question
}

/**
 * What the venue has said so far is acted upon, as at `at`. What ends a hold is not the answer to
 * its request: that was the hold.
 */
export async function hearAt(world: World, start: BookingStart, at: Date): Promise<Outcome> {
  const { answer, state } = await applyVenueResponses(world.db, start, stepDeps, at)
  return outcomeOf(world, start, { answer: start.purpose === 'hold' ? null : answer, state })
}
