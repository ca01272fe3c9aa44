import type { BookingStatus } from './booking.ts'
import type { RefusalData } from './errors.ts'
import type { ConfirmMode } from './rules.ts'

/** Everything the workflow `booking` is started with: readable in the Temporal UI, no guest details, no secrets. */
export type BookingStart = {
  bookingId: string
  accountId: string
  venueId: string
  venueSlug: string
  venueName: string
  /** local to the venue, without offset */
  slotTime: string
  timezone: string
  /** RFC 3339 in UTC */
  startsAt: string
  partySize: number
}

/**
 * Where a booking stands, as its workflow needs to know it. `nextActionAt` is RFC 3339, null once nothing more will happen;
 * `answerBy` is the venue's deadline while the booking is pending.
 */
export type BookingState = {
  status: BookingStatus
  nextActionAt: string | null
  confirmMode?: ConfirmMode
  answerBy?: string | null
  /** the venue may believe in a booking that is over, and must be told */
  withdrawDue?: boolean
}

/** What opening a booking led to: it stands somewhere, or it was refused and the refusal is stored. */
export type Opening = BookingState | { refusal: RefusalData }

/** The final answer to a confirm request, stored with the request and given to whoever asks again. */
export type ConfirmAnswer = { booking: Record<string, unknown> } | { refusal: RefusalData }

/**
 * Where a request stands: the answer for the agent, null while the venue is asked, and the booking's state, null when the
 * request was refused.
 */
export type Decision = { answer: ConfirmAnswer | null; state: BookingState | null }

/** What came of a call to a venue, as the Temporal UI shows it; `failure` is a category, never what the venue sent. */
export type Call = { asked: string | null; heard: string | null; failure?: string }

/** The update that waits for the answer of the running booking. */
export const CONFIRM_UPDATE = 'confirm'

/** The signal that the venue has said something, which is written down already. */
export const VENUE_ANSWERED_SIGNAL = 'venueAnswered'

/** Queue of the workflows and their database steps. */
export const BOOKINGS_QUEUE = 'bookings'
/** Queue of the calls to venues. */
export const VENUES_QUEUE = 'venues'

/** Custom search attributes for operators in the Temporal UI, with their types. */
export const searchAttributeTypes = {
  BookingStatus: 'KEYWORD',
  VenueSlug: 'KEYWORD',
  AccountId: 'KEYWORD',
  EndpointId: 'KEYWORD',
  SlotTime: 'DATETIME',
} as const
