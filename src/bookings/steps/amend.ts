import {
  type Choice,
  evaluateOfferings,
  type PartyRequest,
  takeInventory,
} from '../../availability/steps/evaluate-offerings.ts'
import { selectAlternatives } from '../../availability/store/availability.ts'
import { letGo } from '../../availability/store/inventory.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import { attempt, type Db, type Pool } from '../../platform/database/sql.ts'
import type { CommandDone, StepContext } from '../hooks.ts'
import type { BookingStart } from '../rules/booking-messages.ts'
import { agentAmends } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import type { LockedBooking } from '../store/bookings.ts'
import type { OpenCommand } from '../store/commands.ts'
import { amendTo, targetOf } from './amend-booking.ts'
import { whyNotAmendable } from './amendable.ts'
import { explainUnavailable } from './open-booking.ts'
import { refused } from './refused.ts'

/**
 * Moves a booking to another slot or party size, at its venue: in one transaction its own places are let go and the new ones are
 * taken, so that they may overlap; when they cannot be had, everything stays as it was. A venue with a system of its own is asked
 * first, and both are kept meanwhile. What can be looked at before the booking is locked, is: answers the work of the transaction. A
 * dry run does the same and undoes it.
 */
export async function amend(
  db: Pool,
  start: BookingStart,
  { input }: OpenCommand,
  context: StepContext,
): Promise<(tx: Db, booking: LockedBooking) => Promise<CommandDone>> {
  const { venue, at } = context
  const current = await selectBooking(db, start.bookingId)
  const asked = {
    ...start,
    slotTime: String(input.slot_time ?? current.slot_time),
    partySize: Number(input.party_size ?? current.party_size),
  }
  const judged = await evaluateOfferings(db, asked, at, current)
  const unchanged = asked.slotTime === current.slot_time && asked.partySize === current.party_size
  const refusal = judged.refusal ?? (await explainUnavailable(db, asked, judged, at))
  const why = unchanged ? refusal : await withAlternatives(db, asked, refusal, at)
  const takesAmend =
    current.confirm_mode === 'http' && (await venue.takesChanges(db, start.venueId))
  return async (tx, booking) => {
    const isDryRun = input.dry_run === true
    if (!isDryRun && (await venue.isChangeRequested(tx, booking, asked)))
      return { answer: null, events: [] }
    const not = whyNotAmendable(booking, { takesAmend, at })
    if (not) return not
    if (asked.slotTime === booking.slot_time && asked.partySize === booking.party_size) {
      return { answer: { booking: await selectBooking(tx, booking.id) }, events: [] }
    }
    const isVenueAsked = booking.status === 'confirmed' && booking.confirm_mode === 'http'
    const change = isVenueAsked && !isDryRun ? ask : move
    for (const choice of judged.choices) {
      let found: CommandDone | undefined
      const done = await attempt(tx, async () => {
        found = await change(tx, booking, { choice, asked }, context)
        return isDryRun ? undefined : found
      })
      if (done) return done
      if (found) return { ...found, events: [] }
    }
    return refused(why.code, booking, why.message, why.facts)
  }
}

async function withAlternatives(db: Pool, asked: PartyRequest, refusal: RefusalData, at: Date) {
  const { venueId, slotTime, partySize } = asked
  const alternatives = await selectAlternatives(db, venueId, { slotTime, partySize, at, limit: 5 })
  return { ...refusal, facts: { ...refusal.facts, alternatives } }
}

/** Undefined when the new places cannot be had; whatever was done is then undone by the caller. */
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
  const { at } = context
  const { offering, slot } = choice
  const { partySize } = asked
  const span = { startsAt: slot.startsAt, until: slot.occupiedUntil, partySize }
  const claim = { bookingId: booking.id, offeringId: offering.id, ...span }
  const from = { slotTime: booking.slot_time, partySize: booking.party_size }
  const target = targetOf(booking, choice, partySize, at)
  const told = agentAmends(from, asked)
  return amendTo(tx, booking, target, { ...context, told }, async () => {
    await letGo(tx, booking.id, claim)
    return takeInventory(tx, offering, claim)
  })
}
