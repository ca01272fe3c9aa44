import type { BookingStatus } from './booking.ts'
import type { RefusalData } from './errors.ts'

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

/** Where a booking stands, as its workflow needs to know it; `nextActionAt` is RFC 3339, null once it is over. */
export type BookingState = { status: BookingStatus; nextActionAt: string | null }

/** What opening a booking led to: it stands somewhere, or it was refused and the refusal is stored. */
export type Opening = BookingState | { refusal: RefusalData }

/** The final answer to a confirm request, stored with the request and given to whoever asks again. */
export type ConfirmAnswer = { booking: Record<string, unknown> } | { refusal: RefusalData }

/** What was decided: the answer for the agent, and where the booking stands; a refused request has none. */
export type Decision = { answer: ConfirmAnswer; state: BookingState | null }

/** The update that waits for the answer of the running booking. */
export const CONFIRM_UPDATE = 'confirm'

/** Queue of the workflows and their database steps. */
export const BOOKINGS_QUEUE = 'bookings'

/** Custom search attributes for operators in the Temporal UI, with their types. */
export const searchAttributeTypes = {
  BookingStatus: 'KEYWORD',
  VenueSlug: 'KEYWORD',
  AccountId: 'KEYWORD',
  EndpointId: 'KEYWORD',
  SlotTime: 'DATETIME',
} as const
