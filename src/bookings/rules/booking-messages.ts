import type { Wish } from '../../availability/rules/service-terms.ts'
import type { OfAccount, OnClock } from '../../base/account-time.ts'
import type { BookingStatus } from '../../base/booking-status.ts'
import type { RefusalData } from '../../base/errors.ts'
import type { ConfirmMode } from '../../base/venue-kinds.ts'
import type { Booking, Cancellation } from '../../contract/public.ts'
import type { ChangePhase, GroupKind } from './booking.ts'

/** The input of the workflow `booking`. The Temporal UI shows it: no guest details or secrets. */
export type BookingStart = OfAccount &
  OnClock &
  Wish & {
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
    /** `hold` waits to be confirmed; without a purpose, it is confirmed immediately. */
    purpose?: 'hold'
    /** the duration of a sandbox hold that is meant to end soon */
    holdMs?: number
    /** its group; `holdUntil`, RFC 3339, is when the hold of an itinerary part ends */
    group?: { id: string; kind: GroupKind; holdUntil: string | null }
    /** paid before confirmation: a wallet at the fee that was quoted, a card at the fee due */
    payment?: { feeMinor?: number | undefined }
    /** what the last amendment changed, for operators; set by the workflow */
    amended?: string
  }

/** A one-line summary of a booking's workflow. */
export const summaryOf = ({ partySize, venueName, slotTime }: BookingStart): string =>
  `${partySize} at ${venueName}, ${slotTime.replace('T', ' ').slice(0, 16)}`

/**
 * The state that a booking's workflow needs. `nextActionAt` is RFC 3339, or null once nothing more
 * is due; `answerBy` is the venue's deadline while the booking is pending, and the agent's while
 * there is an offer.
 */
export type BookingState = {
  status: BookingStatus
  nextActionAt: string | null
  confirmMode?: ConfirmMode
  answerBy?: string | null
  /** the booking is over, and the venue must be notified */
  withdrawDue?: boolean
  /** a change that the venue is to accept by `answerBy`, RFC 3339, or to undo */
  change?: { phase: ChangePhase; answerBy: string | null }
  /** the venue's people or the guest must be notified */
  noticeDue?: boolean
  /** the booking is held until its payment is settled, or at most until this time, RFC 3339 */
  payBy?: string
  /** the slot of an amended booking, in place of the original one */
  now?: Pick<BookingStart, 'slotTime' | 'startsAt' | 'partySize'>
}

/** The final answer to a booking request, stored with it and returned whenever it is repeated. */
export type ConfirmAnswer = { booking: Booking } | { refusal: RefusalData }

/**
 * The answer for the agent, null while the venue is being asked. A refused request has no state.
 * Includes the time on the account's test clock, if any.
 */
export type Decision = OnClock & { answer: ConfirmAnswer | null; state: BookingState | null }

/** A call to a venue, as shown in the Temporal UI; `failure` is a category, never venue text. */
export type Call = {
  asked: string | null
  heard: string | null
  /** the revision that the venue's answer is about */
  revision?: number
  failure?: string
  /** the result of the venue's decision, once applied */
  decision?: Decision
}

/** Commands for an existing booking, and `wake`, which only makes it check for due work. */
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

/** What an operator can do to a booking; the updates of its workflow have these names. */
export const operatorActNames = ['cancel', 'retry', 'wake'] as const
export type OperatorActName = (typeof operatorActNames)[number]

/** Acts with the same `id` count as one; `by` and `reason` go into the audit log. */
export type OperatorAct = { name: OperatorActName; id: string; by: string; reason: string }

/** A stored command, as shown in the Temporal UI. No guest details. */
export type SubmittedCommand = { id: string; kind: CommandKind; input: Record<string, unknown> }

/** The answer to a command, stored with it. */
export type CommandAnswer =
  | {
      booking: Booking
      cancellation?: Cancellation
      amended?: {
        from: {
          slot_time: string
          party_size: number
          typical_spend?: string
          fee?: string
          deposit?: string | null
        }
      }
    }
  | { refusal: RefusalData }

/** The result of running a booking's open commands, with the answers requested. */
export type CommandsResult = Decision & { answers: Record<string, CommandAnswer> }

/** The update that waits for a running booking's answer. */
export const CONFIRM_UPDATE = 'confirm'

/** The update that announces a stored command and waits, and the signal that does not wait. */
export const COMMAND_UPDATE = 'command'
export const COMMANDS_SUBMITTED_SIGNAL = 'commandsSubmitted'

/** The signal that a response from the venue has been stored. */
export const VENUE_RESPONDED_SIGNAL = 'venueResponded'
