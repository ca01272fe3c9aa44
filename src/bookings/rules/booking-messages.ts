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
    /** `hold` waits for a confirmation; without a purpose the booking is confirmed at once. */
    purpose?: 'hold'
    /** the length of a sandbox hold that ends soon */
    holdMs?: number
    /** its group; `holdUntil`, RFC 3339, is the end of an itinerary part's hold */
    group?: { id: string; kind: GroupKind; holdUntil: string | null }
    /** paid before the confirmation: the quoted fee */
    payment?: { feeMinor: number }
    /** the changes of the last amendment, for operators; set by the workflow */
    amended?: string
  }

/** The subject of a booking's workflow, in one line. */
export const summaryOf = ({ partySize, venueName, slotTime }: BookingStart): string =>
  `${partySize} at ${venueName}, ${slotTime.replace('T', ' ').slice(0, 16)}`

/**
 * A booking's state as its workflow needs it. `nextActionAt` is RFC 3339, null once nothing more is
 * due; `answerBy` is the venue's deadline while the booking is pending, the agent's while it has an
 * offer.
 */
export type BookingState = {
  status: BookingStatus
  nextActionAt: string | null
  confirmMode?: ConfirmMode
  answerBy?: string | null
  /** the booking is over, and the venue must be told */
  withdrawDue?: boolean
  /** a change to ask the venue for until `answerBy`, RFC 3339, or to undo there */
  change?: { phase: ChangePhase; answerBy: string | null }
  /** the people at the venue, or the guest, must be notified */
  noticeDue?: boolean
  /** the booking is held until its payment is settled, or until this time, RFC 3339 */
  payBy?: string
  /** the slot of an amended booking, which replaces the first one */
  now?: Pick<BookingStart, 'slotTime' | 'startsAt' | 'partySize'>
}

/** The final answer to a booking request, stored with it and repeated to every repetition. */
export type ConfirmAnswer = { booking: Booking } | { refusal: RefusalData }

/**
 * The agent's answer, null while the venue is asked; a refusal has no state. Also has the time on
 * the account's test clock, if any.
 */
export type Decision = OnClock & { answer: ConfirmAnswer | null; state: BookingState | null }

/** A call to a venue, as the Temporal UI shows it; `failure` is a category, never venue text. */
export type Call = {
  asked: string | null
  heard: string | null
  /** the revision that the venue answered */
  revision?: number
  failure?: string
  /** the result of the venue's decision, once applied */
  decision?: Decision
}

/** Commands to an existing booking, and `wake`, which only makes it look again. */
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

/** An operator's acts on a booking; updates of its workflow have these names. */
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

/** The result of running a booking's open commands, with the requested answers. */
export type CommandsResult = Decision & { answers: Record<string, CommandAnswer> }

/** The update that waits for a running booking's answer. */
export const CONFIRM_UPDATE = 'confirm'

/** The update that announces a stored command and waits; the signal that does not wait. */
export const COMMAND_UPDATE = 'command'
export const COMMANDS_SUBMITTED_SIGNAL = 'commandsSubmitted'

/** The signal that a response of the venue is stored. */
export const VENUE_RESPONDED_SIGNAL = 'venueResponded'
