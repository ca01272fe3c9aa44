import { randomUUID } from 'node:crypto'
import { hearVenue } from '../activities/hear-venue.ts'
import type { BookingStart } from '../src/model/booking-messages.ts'
import { markSent } from '../src/store/bookings.ts'
import { markChangeSent } from '../src/store/open-changes.ts'
import { insertStatement } from '../src/store/statements.ts'
import { selectOptionalVenueQuestion } from '../src/store/venue-questions.ts'
import { terms } from '../test/support/terms.ts'
import { type Outcome, outcomeOf, type World } from './world.ts'

const DAY_MS = 86_400_000

/** A time at which every booking of an arena has long been over. */
export const afterItsEnd = ({ startsAt }: BookingStart): Date =>
  new Date(Date.parse(startsAt) + DAY_MS)

/** A time at which no venue that was asked just now may still answer, and no slot has begun. */
export const longAfterAnswerBy = (): Date => new Date(Date.now() + DAY_MS)

let lastSaid = 0

/** The venue's clock: no two statements bear the same time. */
function sayingTime(): Date {
  lastSaid = Math.max(Date.now(), lastSaid + 1)
  return new Date(lastSaid)
}

/** The venue is asked and states this, and its statement is acted upon at once. */
export async function venueSays(
  world: World,
  start: BookingStart,
  status: 'confirmed' | 'declined' | 'cancelled',
): Promise<Outcome> {
  const { bookingId: booking_id } = start
  const answered_at = sayingTime()
  await isAsked(world, start)
  const question = await selectOptionalVenueQuestion(world.db, booking_id)
  const revision = question?.asked_revision ?? 0
  await insertStatement(
    world.db,
    { id: `msg_${randomUUID()}`, receivedAt: answered_at },
    { type: 'booking.state', booking_id, revision, status, answered_at },
  )
  return hearAt(world, start, answered_at)
}

/** The venue is asked, and its time passes. */
export async function venueIsSilent(world: World, start: BookingStart): Promise<Outcome> {
  await isAsked(world, start)
  return hearAt(world, start, longAfterAnswerBy())
}

async function isAsked({ db }: World, { bookingId }: BookingStart): Promise<void> {
  await markSent(db, bookingId)
  await markChangeSent(db, bookingId)
}

/** What the venue has said so far is acted upon, as at `at`. What ends a hold is not the answer to its request: that was the hold. */
export async function hearAt(world: World, start: BookingStart, at: Date): Promise<Outcome> {
  const { answer, state } = await hearVenue(world.db, start, terms, at)
  return outcomeOf(world, start, { answer: start.purpose === 'hold' ? null : answer, state })
}
