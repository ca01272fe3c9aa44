import {
  type Choice,
  claimOf,
  evaluateOfferings,
  type PartyRequest,
  takeInventory,
} from '../../availability/steps/evaluate-offerings.ts'
import { letGo } from '../../availability/store/inventory.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import { attempt, type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import type { CommandDone, StepContext } from '../hooks.ts'
import type { BookingStart, CommandAnswer } from '../rules/booking-messages.ts'
import { agentAmends } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import { type LockedBooking, selectBookingForUpdate } from '../store/bookings.ts'
import type { OpenCommand } from '../store/commands.ts'
import { amendTo, targetOf } from './amend-booking.ts'
import { whyNotAmendable } from './amendable.ts'
import { explainUnavailable, withAlternatives } from './decide-booking.ts'
import { refused } from './refused.ts'

/** The requested change; what is left out stays as it is. */
export type Wanted = { slot_time?: unknown; party_size?: unknown }

/**
 * Moves a booking to another slot or party size at its venue. One transaction releases its
 * inventory and takes the new one, so the two may overlap; when the new one cannot be had,
 * everything stays. A venue with a system of its own is asked first, and both are kept meanwhile.
 * Answers the work of the transaction, after the look-ups that need no lock.
 */
export async function amend(
  db: Pool,
  start: BookingStart,
  { input }: Pick<OpenCommand, 'input'>,
  context: StepContext,
): Promise<(tx: Db, booking: LockedBooking) => Promise<CommandDone>> {
  const plan = await planOf(db, start, input, context)
  return async (tx, booking) => {
    if (await context.venue.isChangeRequested(tx, booking, plan.asked)) {
      return { answer: null, events: [] }
    }
    const isVenueAsked = booking.status === 'confirmed' && booking.confirm_mode === 'http'
    return takeFirst(tx, booking, plan, isVenueAsked ? ask : move, context)
  }
}

/** The result that amending would have now: runs the step and rolls it back. No venue is asked. */
export async function dryRunAmend(
  db: Pool,
  start: BookingStart,
  wanted: Wanted,
  context: StepContext,
): Promise<CommandAnswer> {
  const plan = await planOf(db, start, wanted, context)
  return transaction(db, async (tx) => {
    const booking = await selectBookingForUpdate(tx, start.bookingId)
    let done: CommandDone | undefined
    await attempt(tx, async () => {
      done = await takeFirst(tx, booking, plan, move, context)
      return undefined
    })
    if (!done?.answer) throw new Error('a dry run without an answer')
    return done.answer
  })
}

/** The requested slot, the offerings that allow it, and the refusal if none can be had. */
type Plan = {
  asked: PartyRequest
  choices: readonly Choice[]
  refusal: RefusalData
  takesAmend: boolean
}

async function planOf(
  db: Pool,
  start: BookingStart,
  wanted: Wanted,
  { venue, at }: StepContext,
): Promise<Plan> {
  const current = await selectBooking(db, start.bookingId)
  const asked = {
    ...start,
    slotTime: String(wanted.slot_time ?? current.slot_time),
    partySize: Number(wanted.party_size ?? current.party_size),
  }
  const offered = await evaluateOfferings(db, asked, at, current)
  const why = await explainUnavailable(db, asked, offered, at)
  const isChange = asked.slotTime !== current.slot_time || asked.partySize !== current.party_size
  return {
    asked,
    choices: offered.choices,
    refusal: isChange ? await withAlternatives(db, asked, why, at) : why,
    takesAmend: current.confirm_mode === 'http' && (await venue.takesChanges(db, start.venueId)),
  }
}

async function takeFirst(
  tx: Db,
  booking: LockedBooking,
  { asked, choices, refusal, takesAmend }: Plan,
  change: Change,
  context: StepContext,
): Promise<CommandDone> {
  const not = whyNotAmendable(booking, { takesAmend, at: context.at })
  if (not) return not
  if (asked.slotTime === booking.slot_time && asked.partySize === booking.party_size) {
    return { answer: { booking: await selectBooking(tx, booking.id) }, events: [] }
  }
  for (const choice of choices) {
    const done = await attempt(tx, () => change(tx, booking, { choice, asked }, context))
    if (done) return done
  }
  return refused(refusal.code, booking, refusal.message, refusal.facts)
}

/** Undefined when the new inventory cannot be had; the caller then rolls back. */
type Change = (
  tx: Db,
  booking: LockedBooking,
  to: { choice: Choice; asked: PartyRequest },
  context: StepContext,
) => Promise<CommandDone | undefined>

const ask: Change = (tx, booking, { choice, asked }, context) => {
  const target = targetOf(booking, choice, asked.partySize, context.at)
  return context.venue.requestChange(tx, booking, { choice, target }, context)
}

const move: Change = (tx, booking, { choice, asked }, context) => {
  const claim = claimOf(choice, { bookingId: booking.id, partySize: asked.partySize })
  const target = targetOf(booking, choice, asked.partySize, context.at)
  const from = { slotTime: booking.slot_time, partySize: booking.party_size }
  const reason = agentAmends(from, asked)
  return amendTo(tx, booking, target, { ...context, reason }, async () => {
    await letGo(tx, booking.id, claim)
    return takeInventory(tx, choice.offering, claim)
  })
}
