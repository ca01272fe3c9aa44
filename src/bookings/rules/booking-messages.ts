import type { OfAccount, OnClock } from '../../base/account-time.ts'
import type { BookingStatus } from '../../base/booking-status.ts'
import type { RefusalData } from '../../base/errors.ts'
import type { ConfirmMode } from '../../base/venue-kinds.ts'
import type { Booking, Cancellation } from '../../contract/public.ts'
import type { ChangePhase, GroupKind } from './booking.ts'

/** The input of the workflow `booking`, shown in the Temporal UI: no guest details or secrets. */
export type BookingStart = OfAccount &
  OnClock & {
    bookingId: string
    venueId: string
    venueSlug: string
    venueName: string
    /** local to the venue, without offset */
    slotTime: string
    timezone: string
    /** RFC 3339 in UTC */
    startsAt: string
    partySize: number
    /** `hold` waits for its confirmation; without it the booking is confirmed at once. */
    purpose?: 'hold'
    /** how long a hold of a sandbox lasts that is to end soon */
    holdMs?: number
    /** its group; `holdUntil`, RFC 3339, is how long a part of an itinerary is held */
    group?: { id: string; kind: GroupKind; holdUntil: string | null }
    /** it is paid before it is confirmed: the fee that was quoted */
    payment?: { feeMinor: number }
    /** what the last amendment changed, for operators; set by the workflow */
    amended?: string
  }

/** What a booking's workflow is about, in one line. */
export const summaryOf = ({ partySize, venueName, slotTime }: BookingStart): string =>
  `${partySize} at ${venueName}, ${slotTime.replace('T', ' ').slice(0, 16)}`

/**
 * The state of a booking, as its workflow needs it. `nextActionAt` is RFC 3339, null once nothing
 * more is due; `answerBy` is the venue's deadline while the booking is pending, the agent's while
 * it has an offer.
 */
export type BookingState = {
  status: BookingStatus
  nextActionAt: string | null
  confirmMode?: ConfirmMode
  answerBy?: string | null
  /** the booking is over, and must be withdrawn from the venue */
  withdrawDue?: boolean
  /** a change that the venue is asked for until `answerBy`, RFC 3339, or must forget */
  change?: { phase: ChangePhase; answerBy: string | null }
  /** the people at the venue, or the guest, must be notified */
  noticeDue?: boolean
  /** the booking is held until its payment is settled, at the latest until then, RFC 3339 */
  payBy?: string
  /** the slot of an amended booking, instead of the one it started with */
  now?: Pick<BookingStart, 'slotTime' | 'startsAt' | 'partySize'>
}

/** The final answer to a booking request, stored with it and given to every repetition. */
export type ConfirmAnswer = { booking: Booking } | { refusal: RefusalData }

/**
 * The answer for the agent, null while the venue is asked; no state when it was refused. With what
 * the test clock of its account says, if it has one.
 */
export type Decision = OnClock & { answer: ConfirmAnswer | null; state: BookingState | null }

/** A call to a venue, as the Temporal UI shows it; `failure` is a category, never venue text. */
export type Call = {
  asked: string | null
  heard: string | null
  /** the revision that the venue answered about */
  revision?: number
  failure?: string
  /** what the venue's decision led to, once it has been applied */
  decision?: Decision
}

/** What an agent can do with a booking that exists, and `wake`, which only has it looked at. */
export const commandKinds = [
  'confirm',
  'extend',
  'release',
  'cancel',
  'amend',
  'accept_offer',
  'refuse_offer',
  'wake',
] as const
export type CommandKind = (typeof commandKinds)[number]

/** What an operator does to a booking, as the updates of its workflow are called. */
export const operatorActNames = ['cancel', 'retry', 'wake'] as const
export type OperatorActName = (typeof operatorActNames)[number]

/** `id` makes repeated acts one; `by` and `reason` are in the audit log. */
export type OperatorAct = { name: OperatorActName; id: string; by: string; reason: string }

/** A stored command, as the Temporal UI shows it. No guest details. */
export type SubmittedCommand = { id: string; kind: CommandKind; input: Record<string, unknown> }

/** The answer to a command, stored with it. */
export type CommandAnswer =
  | {
      booking: Booking
      cancellation?: Cancellation
      amended?: { from: { slot_time: string; party_size: number } }
    }
  | { refusal: RefusalData }

/** The result of running the open commands of a booking, with the answers that were asked for. */
export type CommandsResult = Decision & { answers: Record<string, CommandAnswer> }

/** The update that waits for the answer of a running booking. */
export const CONFIRM_UPDATE = 'confirm'

/** The update that announces a stored command and waits; the signal that does not wait. */
export const COMMAND_UPDATE = 'command'
export const COMMANDS_SUBMITTED_SIGNAL = 'commandsSubmitted'

/** The signal that a response of the venue is stored. */
export const VENUE_RESPONDED_SIGNAL = 'venueResponded'
