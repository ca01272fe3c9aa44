import type { Book, Booking } from './book.ts'
import { decide } from './decide.ts'
import type { BookingRequest, BookingState, Confirm, Status } from './messages.ts'
import type { Behaviour } from './script.ts'
import { bookingState, unknownState } from './venue-messages.ts'

/** The venue's state after a message (undefined: booking unknown) and its response. */
export type Received = { booking: Booking | undefined; state: BookingState }

/** Handles one message as the connector protocol says; the script decides for staff, or lies. */
export function receive(book: Book, request: BookingRequest, behaviour: Behaviour): Received {
  const booking = next(book, request, behaviour)
  const honest = booking === undefined ? unknownState(request.booking_id) : bookingState(booking)
  const decides = request.type === 'booking.confirm' || request.type === 'booking.amend'
  const lies = !decides || behaviour.answer === 'unknown'
  if (!lies || behaviour.answer === undefined) return { booking, state: honest }
  const reason = behaviour.reason ?? honest.reason
  return { booking, state: { ...honest, status: behaviour.answer, reason } }
}

function next(book: Book, request: BookingRequest, behaviour: Behaviour): Booking | undefined {
  const booking = book.bookings.get(request.booking_id)
  switch (request.type) {
    case 'booking.status':
      return booking
    case 'booking.confirm':
    case 'booking.amend':
      return confirmed(book, request, booking, behaviour)
    case 'booking.cancel': {
      const revision = Math.max(request.revision, booking?.revision ?? 0)
      if (booking?.status === 'cancelled') return { ...booking, revision }
      const nothing = { reference: null, stay: null, ...request }
      const { booking_id, venue_id, reference, stay } = booking ?? nothing
      const over = { status: 'cancelled' as const, answered_at: momentAfter(booking), reason: null }
      return { booking_id, venue_id, reference, stay, revision, ...over }
    }
  }
}

function confirmed(
  book: Book,
  request: Confirm,
  booking: Booking | undefined,
  behaviour: Behaviour,
): Booking {
  const { type, booking_id, revision, venue_id, ...stay } = request
  const scripted = decided(behaviour.answer)
  if (booking?.status === 'cancelled')
    return { ...booking, revision: Math.max(booking.revision, revision) }
  const last = booking?.change ?? booking
  const isNews = last === undefined || revision > last.revision
  const isDue = last?.status === 'pending' && revision === last.revision && scripted !== undefined
  if (booking && !isNews && !isDue) return booking
  const decision = scripted
    ? { status: scripted, reason: behaviour.reason ?? null }
    : decide(book.venue(venue_id), booking_id, stay, new Date())
  const reference = booking?.reference ?? `T-${4711 + book.bookings.size}`
  const answer = { revision, ...decision, answered_at: momentAfter(booking), stay }
  const isKept = booking?.status === 'confirmed' && type === 'booking.amend'
  const isOff = decision.status === 'declined' || decision.status === 'pending'
  if (isKept && isOff) return { ...booking, change: answer }
  return { booking_id, venue_id, reference, ...answer }
}

const decided = (answer: Status | undefined) => (answer === 'unknown' ? undefined : answer)

/** Now, but later than the last response, because the later one prevails. */
function momentAfter(booking: Booking | undefined): string {
  const last = booking === undefined ? 0 : Date.parse((booking.change ?? booking).answered_at)
  return new Date(Math.max(Date.now(), last + 1)).toISOString()
}

/** The booking after the venue's own decision, about a pending amendment if there is one. */
export function redecided(
  current: Booking,
  status: Booking['status'],
  reason: string | null,
): Booking {
  const { change, ...booking } = current
  const decision = { status, reason, answered_at: momentAfter(current) }
  if (!change) return { ...booking, ...decision }
  if (status === 'confirmed') return { ...booking, ...change, ...decision }
  if (status !== 'cancelled') return { ...booking, change: { ...change, ...decision } }
  return { ...booking, revision: change.revision, ...decision }
}

/** An earlier state of the booking; the book is unchanged. */
export const asEarlier = (
  booking: Booking,
  status: Booking['status'],
  reason: string | null,
): Booking => ({
  ...booking,
  status,
  reason,
  ...(booking.change && { change: { ...booking.change, status, reason } }),
})
