import type { Book, Booking } from './book.ts'
import { decide } from './decide.ts'
import type { BookingRequest, BookingState, Confirm, Status } from './messages.ts'
import type { Behaviour } from './script.ts'
import { bookingState, unknownState } from './venue-messages.ts'

/** The venue's state after a message (undefined: booking unknown) and its response. */
export type Received = { booking: Booking | undefined; state: BookingState }

/**
 * Handles one message by the connector protocol; the script decides where a person would, or lies.
 */
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
  const known = book.bookings.get(request.booking_id)
  switch (request.type) {
    case 'booking.status':
      return known
    case 'booking.confirm':
    case 'booking.amend':
      return confirmed(book, request, known, behaviour)
    case 'booking.cancel': {
      const revision = Math.max(request.revision, known?.revision ?? 0)
      if (known?.status === 'cancelled') return { ...known, revision }
      const nothing = { reference: null, stay: null, ...request }
      const { booking_id, venue_id, reference, stay } = known ?? nothing
      const over = { status: 'cancelled' as const, answered_at: momentAfter(known), reason: null }
      return { booking_id, venue_id, reference, stay, revision, ...over }
    }
  }
}

function confirmed(
  book: Book,
  request: Confirm,
  known: Booking | undefined,
  behaviour: Behaviour,
): Booking {
  const { type, booking_id, revision, venue_id, ...stay } = request
  const scripted = decided(behaviour.answer)
  if (known?.status === 'cancelled')
    return { ...known, revision: Math.max(known.revision, revision) }
  const last = known?.change ?? known
  const isNews = last === undefined || revision > last.revision
  const isDue = last?.status === 'pending' && revision === last.revision && scripted !== undefined
  if (known && !isNews && !isDue) return known
  const decision = scripted
    ? { status: scripted, reason: behaviour.reason ?? null }
    : decide(book.venue(venue_id), booking_id, stay, new Date())
  const reference = known?.reference ?? `T-${4711 + book.bookings.size}`
  const asked = { revision, ...decision, answered_at: momentAfter(known), stay }
  const isKept = known?.status === 'confirmed' && type === 'booking.amend'
  const isOff = decision.status === 'declined' || decision.status === 'pending'
  if (isKept && isOff) return { ...known, change: asked }
  return { booking_id, venue_id, reference, ...asked }
}

const decided = (answer: Status | undefined) => (answer === 'unknown' ? undefined : answer)

/** Now, but always after the last response: the later one prevails. */
function momentAfter(known: Booking | undefined): string {
  const last = known === undefined ? 0 : Date.parse((known.change ?? known).answered_at)
  return new Date(Math.max(Date.now(), last + 1)).toISOString()
}

/** The booking after the venue's own decision, about its amendment if one is pending. */
export function redecided(
  known: Booking,
  status: Booking['status'],
  reason: string | null,
): Booking {
  const { change, ...booking } = known
  const decision = { status, reason, answered_at: momentAfter(known) }
  if (!change) return { ...booking, ...decision }
  if (status === 'confirmed') return { ...booking, ...change, ...decision }
  if (status !== 'cancelled') return { ...booking, change: { ...change, ...decision } }
  return { ...booking, revision: change.revision, ...decision }
}

/** An earlier state of the booking; the book is unchanged. */
export const asEarlier = (
  known: Booking,
  status: Booking['status'],
  reason: string | null,
): Booking => ({
  ...known,
  status,
  reason,
  ...(known.change && { change: { ...known.change, status, reason } }),
})
