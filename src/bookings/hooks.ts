import type { FeeTerms, Wish } from '../availability/rules/service-terms.ts'
import type { Choice } from '../availability/steps/evaluate-services.ts'
import type { RefusalData } from '../base/errors.ts'
import type { ConfirmMode } from '../base/venue-kinds.ts'
import type { Db, Pool } from '../platform/database/sql.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { NewEvent } from '../webhooks/schema/event-bodies.ts'
import type {
  BookingStart,
  BookingState,
  CommandAnswer,
  CommandKind,
  Decision,
} from './rules/booking-messages.ts'
import type { Limits } from './rules/limits.ts'
import type { TargetSlot } from './store/booking-changes.ts'
import type { LockedBooking, Move } from './store/bookings.ts'
import type { OpenCommand } from './store/commands.ts'
import type { FreedSpan } from './store/freed-spans.ts'
import type { Done, DoneStep } from './store/transitions.ts'

/** The operator's terms: the fee as a percentage, and how long each side has to answer. */
export type Terms = {
  feePct: number
  /** time from a booking's end to its automatic completion (rules/due.ts) */
  completionGraceMinutes: number
  /** how long a venue's system has to answer */
  venueAnswerMinutes: number
  /** how long people at a venue have to answer, in opening hours */
  requestAnswerMinutes: number
  /** how long an agent has to accept an offered time */
  offerAnswerMinutes: number
  /** limits of an account that has never completed a booking */
  limits: Limits
}

/** What booking steps need in addition to the database (`src/compose/booking-deps.ts`). */
export type StepDeps = {
  terms: Terms
  venue: VenueConfirmation
  hooks: BookingHooks
}
export type StepContext = StepDeps & { at: Date }

/** What a room needs to build its hooks; `E` is the client of its workflows. */
export type HookParts<E> = { engine: E; log: Log; terms: Terms }

/** Part of a step: changes the locked booking within the step's transaction. */
export type StepWork<T, R = BookingState> = (
  tx: Db,
  booking: LockedBooking,
  input: T,
  context: StepContext,
) => Promise<Done<R>>

/** The answer to a command, or null while the venue decides about it. */
export type CommandDone = { answer: CommandAnswer | null; events: NewEvent[] }

/** Changes the locked booking as a command requests, or refuses and changes nothing. */
export type RunCommand = (
  tx: Db,
  booking: LockedBooking,
  command: Pick<OpenCommand, 'input' | 'guest' | 'given_at'>,
  context: StepContext,
) => Promise<CommandDone>

/** The result of a change to a booking. */
export type ChangeTarget = TargetSlot & {
  /** the person wished for */
  session: string | null
  leader_id: string | null
  fee_terms: FeeTerms
  /** requested after `cancel_until`, so that the fee is not reduced */
  is_late: boolean
}

/** How venues confirm their own bookings. Implemented by the room `confirmation`. */
export type VenueConfirmation = {
  /** Asks the venue (its system or its people, by `confirm_mode`) to confirm a held booking. */
  request(tx: Db, booking: LockedBooking, context: StepContext): Promise<Done<Decision>>
  /** Reminds the venue's people of a request once half of their time has passed. */
  remind(tx: Db, pending: LockedBooking, at: Date): Promise<Done<BookingState>>
  /** Whether the venue can be asked to change a booking that it confirmed in this way. */
  takesChanges(db: Db, venueId: string, mode: ConfirmMode | null): Promise<boolean>
  /** Whether the venue is already being asked for this change. */
  isChangeRequested(
    tx: Db,
    booking: LockedBooking,
    change: Wish & { slotTime: string; partySize: number },
  ): Promise<boolean>
  /**
   * Reserves the changed booking's slot and asks the venue for the change; `isOnPage` if the guest
   * wants it. Undefined if the slot is taken; the caller must then roll back.
   */
  requestChange(
    tx: Db,
    booking: LockedBooking,
    to: { choice: Choice; target: ChangeTarget; isOnPage: boolean },
    context: StepContext,
  ): Promise<CommandDone | undefined>
  /** Tells the people of the venue, if they have a list with the booking, that it moves. */
  announceMove(tx: Db, booking: LockedBooking, slotTime: string): Promise<void>
  /** Stops asking the venue for anything, because this move is about to end the booking. */
  close(tx: Db, from: LockedBooking, move: Move): Promise<void>
  /** The commands by which the agent answers a venue's offer. */
  commands: Partial<Record<CommandKind, RunCommand>>
}

/** The state of a prepaid booking's payment, which can be settled until `payBy`. */
type PaymentProgress = 'settled' | { payBy: string } | { refusal: RefusalData }

/** How a hold ended: unconfirmed, declined by the venue, or cancelled by the agent. */
export type HoldEnd = 'lapsed' | 'refused' | 'cancelled'

/**
 * Reactions of higher rooms to changes in bookings. All but `beforeDue` run in the step's
 * transaction; `beforeDue` runs before it, because each response from a venue is a separate step.
 */
export type BookingHooks = {
  /**
   * A booking has released these spans. Returns the resulting steps of other bookings, to be
   * recorded in the same transaction, after every other lock is taken.
   */
  onSlotFreed(
    tx: Db,
    owner: Pick<LockedBooking, 'id' | 'account_id' | 'party_size'>,
    freed: readonly FreedSpan[],
    at: Date,
  ): Promise<readonly DoneStep[]>
  /** An explicit hold has ended without a booking. */
  onHoldEnded(tx: Db, holdId: string, end: HoldEnd, at: Date): Promise<void>
  /** An explicit hold has become a booking. */
  onConfirmed(tx: Db, holdId: string, at: Date): Promise<void>
  /** The state of a booking's payment, if it has one (`BookingStart.payment`). */
  paymentOf(db: Db, bookingId: string, at: Date): Promise<PaymentProgress | undefined>
  /** Something is due for a booking, or its agent has given a command. */
  beforeDue(db: Pool, start: BookingStart, deps: StepDeps, at: Date): Promise<void>
}

/** Combines the hooks of several rooms, calling them in order. */
export function joinHooks(rooms: readonly Partial<BookingHooks>[]): BookingHooks {
  return {
    async onSlotFreed(...args) {
      const steps: DoneStep[] = []
      for (const room of rooms) steps.push(...((await room.onSlotFreed?.(...args)) ?? []))
      return steps
    },
    async onHoldEnded(...args) {
      for (const room of rooms) await room.onHoldEnded?.(...args)
    },
    async onConfirmed(...args) {
      for (const room of rooms) await room.onConfirmed?.(...args)
    },
    async paymentOf(...args) {
      for (const room of rooms) {
        const progress = await room.paymentOf?.(...args)
        if (progress) return progress
      }
      return undefined
    },
    async beforeDue(...args) {
      for (const room of rooms) await room.beforeDue?.(...args)
    },
  }
}
