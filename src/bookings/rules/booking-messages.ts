import type { Booking } from '../../contract/public.ts'
import type { BookingStatus } from '../../contract/rules/booking-status.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import type { ConfirmMode } from '../../contract/rules/venue-kinds.ts'
import type { GroupKind } from '../rules/booking.ts'
import type { ChangePhase } from './booking.ts'
import type { Cancellation } from './cancellation.ts'

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
  /** A hold waits for its confirmation; what is left out is to be confirmed at once. */
  purpose?: 'hold'
  /** what it belongs to; `holdUntil`, RFC 3339, is until when a part of an itinerary is held */
  group?: { id: string; kind: GroupKind; holdUntil: string | null }
}

/**
 * Where a booking stands, as its workflow needs to know it. `nextActionAt` is RFC 3339, null once nothing more will happen;
 * `answerBy` is the venue's deadline while the booking is pending, the agent's while it has an offer.
 */
export type BookingState = {
  status: BookingStatus
  nextActionAt: string | null
  confirmMode?: ConfirmMode
  answerBy?: string | null
  /** the venue may believe in a booking that is over, and must be told */
  withdrawDue?: boolean
  /** the venue is asked for a change until `answerBy`, RFC 3339, or told that one is off until it has agreed */
  change?: { phase: ChangePhase; answerBy: string | null }
  /** the venue is to be told that something waits for it, or has changed */
  noticeDue?: boolean
  /** of an amended booking: what it is now, instead of what it was started with */
  now?: Pick<BookingStart, 'slotTime' | 'startsAt' | 'partySize'>
}

/** What opening a booking led to: it stands somewhere, or it was refused and the refusal is stored. */
export type Opening = BookingState | { refusal: RefusalData }

/** The final answer to a confirm request, stored with the request and given to whoever asks again. */
export type ConfirmAnswer = { booking: Booking } | { refusal: RefusalData }

/**
 * Where a request stands: the answer for the agent, null while the venue is asked, and the booking's state, null when the
 * request was refused.
 */
export type Decision = { answer: ConfirmAnswer | null; state: BookingState | null }

/** What came of a call to a venue, as the Temporal UI shows it; `failure` is a category, never what the venue sent. */
export type Call = {
  asked: string | null
  heard: string | null
  /** the revision of which it spoke, where it said something */
  revision?: number
  failure?: string
}

/** What an agent can want of a booking that exists. */
export const commandKinds = [
  'confirm',
  'extend',
  'release',
  'cancel',
  'amend',
  'accept_offer',
  'refuse_offer',
] as const
export type CommandKind = (typeof commandKinds)[number]

/** A command that is written down, as the Temporal UI shows it: its id says where, the rest what. No guest details. */
export type SubmittedCommand = { id: string; kind: CommandKind; input: Record<string, unknown> }

/** The answer to a command, stored with it: the booking as it is then and what else there is to say, or a refusal. */
export type CommandAnswer =
  | {
      booking: Booking
      cancellation?: Cancellation
      amended?: { from: { slot_time: string; party_size: number } }
    }
  | { refusal: RefusalData }

/** What running the open commands of a booking led to, and the answers to the commands asked about. */
export type CommandsResult = Decision & { answers: Record<string, CommandAnswer> }

/** The update that waits for the answer of the running booking. */
export const CONFIRM_UPDATE = 'confirm'

/** The update that tells a booking of a command and waits for its answer, and the signal that does not wait. */
export const COMMAND_UPDATE = 'command'
export const COMMANDS_SUBMITTED_SIGNAL = 'commandsSubmitted'

/** The signal that the venue has said something, which is written down already. */
export const VENUE_RESPONDED_SIGNAL = 'venueResponded'
