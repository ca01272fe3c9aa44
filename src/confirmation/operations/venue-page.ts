import { selectNextTimes } from '../../availability/store/next-slots.ts'
import { HOUR_MS } from '../../base/durations.ts'
import { invalidRequest, refuse } from '../../base/errors.ts'
import { parseSlotTime } from '../../base/local-time.ts'
import type { BookingContext } from '../../bookings/engine.ts'
import { keptWish } from '../../bookings/steps/amend.ts'
import type { Services } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import type { DecidedStatus, DeclineReason } from '../rules/venue-responses.ts'
import { announceAnswer } from '../steps/announce-answer.ts'
import { selectOptionalStartAt } from '../store/booking-starts.ts'
import { selectOptionalVenueBooking } from '../store/venue-bookings.ts'
import { lockPerson } from '../store/venue-links.ts'
import { insertDecision, selectEffect } from '../store/venue-responses.ts'

/** A person can offer times from this long before the requested one. */
const TIMES_AROUND_MS = 3 * HOUR_MS
const MAX_TIMES = 16

type Venue = { id: string }

/** One booking, the times that could be offered instead, and the effect of an earlier answer. */
export type BookingAtVenue = Awaited<ReturnType<typeof readVenueBooking>>

/** Throws `booking_not_found` for another venue's booking. For `answerId`, see `answerForVenue`. */
export async function readVenueBooking(
  { db }: Pick<Services, 'db'>,
  venue: Venue,
  { bookingId, answerId }: { bookingId: string; answerId: string | undefined },
  at: Date,
) {
  const booking = await selectOptionalVenueBooking(db, venue.id, bookingId)
  if (!booking) throw refuse('booking_not_found')
  const effect = answerId === undefined ? null : await selectEffect(db, bookingId, answerId)
  if (booking.status !== 'pending' || booking.confirm_mode !== 'request') {
    return { booking, times: [] as string[], effect }
  }
  const from = new Date(booking.starts_at.getTime() - TIMES_AROUND_MS)
  const { slot_time: requested, party_size: partySize } = booking
  const wish = await keptWish(db, bookingId)
  const free = await selectNextTimes(db, venue.id, { at, from, partySize, wish, count: MAX_TIMES })
  return { booking, times: free.filter((time) => time !== requested), effect }
}

/** A decision by a person at a venue. A second click has the same `formId` and does not count. */
type PersonsAnswer = {
  bookingId: string
  formId: string
  revision: number
  status: DecidedStatus
  offeredSlotTime?: string | undefined
  reason?: DeclineReason | undefined
  /** who decided, if the venue's people have PINs */
  personId?: string | undefined
}

/**
 * Stores a decision by a person at a venue, announces it to the booking and waits up to 3 s for its
 * effect, which the page then shows. A stored decision is never lost. Throws `booking_not_found`,
 * `person_required` for a removed person, and `invalid_request` for decisions that belong to the
 * venue's own system.
 */
export async function answerForVenue(
  { db, engine }: Pick<BookingContext, 'db' | 'engine'>,
  venue: Venue,
  { formId, ...answer }: PersonsAnswer,
  at: Date,
): Promise<{ answerId: string; undelivered?: unknown }> {
  const { bookingId, status } = answer
  const [start, booking] = await Promise.all([
    selectOptionalStartAt(db, venue.id, bookingId),
    selectOptionalVenueBooking(db, venue.id, bookingId),
  ])
  if (!start || !booking) throw refuse('booking_not_found')
  const isAboutVisit = status === 'no_show' || status === 'attended'
  if (booking.confirm_mode === 'http' && !isAboutVisit) {
    throw invalidRequest([{ pointer: '/status', detail: 'the venue’s own system decides this' }])
  }
  if (status === 'offered' && !('local' in parseSlotTime(answer.offeredSlotTime ?? ''))) {
    throw invalidRequest([{ pointer: '/slot_time', detail: 'expected one of the times listed' }])
  }
  const text = answer.offeredSlotTime ?? answer.reason ?? ''
  const id = `page_${formId}_${status}${text}`.replaceAll(/[^\w-]/g, '')
  await transaction(db, async (tx) => {
    const { personId } = answer
    if (personId && !(await lockPerson(tx, venue.id, personId))) throw refuse('person_required')
    await insertDecision(tx, { ...answer, id, answeredAt: at, receivedAt: at })
  })
  return { answerId: id, ...(await announceAnswer({ db, engine }, start, id)) }
}
