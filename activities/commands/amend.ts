import type { BookingStart } from '../../src/model/booking-messages.ts'
import { cancellationOf } from '../../src/model/cancellation.ts'
import { moved, nextDueAt } from '../../src/model/due.ts'
import type { RefusalData } from '../../src/model/errors.ts'
import { feeFor } from '../../src/model/fees.ts'
import { agentAmends } from '../../src/model/timeline-words.ts'
import { selectAlternatives } from '../../src/store/availability.ts'
import { type Amendment, amendBooking } from '../../src/store/booking-changes.ts'
import { scheduleOf } from '../../src/store/booking-schedule.ts'
import { selectBooking } from '../../src/store/booking-view.ts'
import type { LockedBooking } from '../../src/store/bookings.ts'
import type { OpenCommand } from '../../src/store/commands.ts'
import { insertFeeAccrual, reverseFee } from '../../src/store/fees.ts'
import { guestKeptUntil, moveErasure } from '../../src/store/guests.ts'
import { letGo } from '../../src/store/inventory.ts'
import { clearNaturalKey } from '../../src/store/requests.ts'
import { attempt, type Db, type Pool } from '../../src/store/sql.ts'
import type { NewEvent } from '../../src/store/transitions.ts'
import { selectSpansOf } from '../../src/store/watch-turns.ts'
import type { Terms } from '../confirm-booking.ts'
import { feeReversed } from '../end-booking.ts'
import { handOnFreed } from '../hand-on.ts'
import { type Asked, type Choice, judgeOfferings, takeInventory } from '../judge-offerings.ts'
import { whyTaken } from '../open-booking.ts'
import { whyNotAmendable } from './amendable.ts'
import { type CommandDone, refused } from './define.ts'

type Context = { terms: Terms; at: Date }

/**
 * Moves a booking to another slot or party size, at its venue: in one transaction its own places are let go and the new ones are
 * taken, so that they may overlap; when they cannot be had, everything stays as it was. What can be looked at before the booking
 * is locked, is: answers the work of the transaction. A dry run does the same and undoes it.
 */
export async function amend(
  db: Pool,
  start: BookingStart,
  { input }: OpenCommand,
  context: Context,
): Promise<(tx: Db, booking: LockedBooking) => Promise<CommandDone>> {
  const current = await selectBooking(db, start.bookingId)
  const asked = {
    ...start,
    slotTime: String(input.slot_time ?? current.slot_time),
    partySize: Number(input.party_size ?? current.party_size),
  }
  const judged = await judgeOfferings(db, asked, context.at)
  const unchanged = asked.slotTime === current.slot_time && asked.partySize === current.party_size
  const refusal = judged.refusal ?? (await whyTaken(db, asked, judged, context.at))
  const why = unchanged ? refusal : await withAlternatives(db, asked, refusal, context.at)
  return async (tx, booking) => {
    const not = whyNotAmendable(booking, context.at)
    if (not) return not
    if (asked.slotTime === booking.slot_time && asked.partySize === booking.party_size) {
      return { answer: { booking: await selectBooking(tx, booking.id) }, events: [] }
    }
    for (const choice of judged.choices) {
      let found: CommandDone | undefined
      const done = await attempt(tx, async () => {
        found = await move(tx, booking, { choice, asked }, context)
        return input.dry_run === true ? undefined : found
      })
      if (done) return done
      if (found) return { ...found, events: [] }
    }
    return refused(why.code, booking, why.message, why.facts)
  }
}

async function withAlternatives(db: Pool, asked: Asked, refusal: RefusalData, at: Date) {
  const { venueId, slotTime, partySize } = asked
  const alternatives = await selectAlternatives(db, venueId, { slotTime, partySize, at, limit: 5 })
  return { ...refusal, facts: { ...refusal.facts, alternatives } }
}

/** Undefined when the new places cannot be had; whatever was done is then undone by the caller. */
async function move(
  tx: Db,
  booking: LockedBooking,
  { choice, asked }: { choice: Choice; asked: Asked },
  { terms, at }: Context,
): Promise<CommandDone | undefined> {
  const { offering, slot } = choice
  const { startsAt, occupiedUntil: until } = slot
  const claim = {
    bookingId: booking.id,
    offeringId: offering.id,
    startsAt,
    until,
    partySize: asked.partySize,
  }
  const freed = await selectSpansOf(tx, booking.id, at)
  await letGo(tx, booking.id, claim)
  if (!(await takeInventory(tx, offering, claim))) return undefined
  const before = await selectBooking(tx, booking.id)
  const amendment = amendmentOf(booking, { choice, asked }, { terms, at })
  await amendBooking(tx, booking, amendment)
  await moveErasure(tx, booking.id, guestKeptUntil(startsAt))
  await clearNaturalKey(tx, booking.id)
  const fees =
    booking.status === 'confirmed' ? await chargeAnew(tx, booking, choice, amendment, terms) : []
  const amended = await selectBooking(tx, booking.id)
  await handOnFreed(tx, booking, { freed, at })
  const from = { slot_time: before.slot_time, party_size: before.party_size }
  const events = [{ type: 'booking.amended', data: { booking: amended, previous: from } }, ...fees]
  return {
    answer: { booking: amended, amended: { from }, cancellation: cancellationOf(amended, at) },
    events,
  }
}

function amendmentOf(
  booking: LockedBooking,
  { choice: { offering, slot }, asked }: { choice: Choice; asked: Asked },
  { terms, at }: Context,
): Amendment {
  const { slotTime, startsAt, endsAt, cancelUntil } = slot
  // Who is too late to cancel free of charge does not get the chance back by moving the booking.
  const isLate = booking.status === 'confirmed' && booking.cancel_until < at
  const schedule = moved(scheduleOf(booking), { startsAt, endsAt }, at)
  return {
    offeringId: offering.id,
    ruleVersion: offering.rule_version,
    slotTime,
    startsAt,
    endsAt,
    cancelUntil: isLate ? booking.cancel_until : cancelUntil,
    partySize: asked.partySize,
    nextActionAt:
      booking.hold_until && booking.status === 'held'
        ? booking.hold_until
        : nextDueAt(schedule, terms.completionGraceMinutes),
    remindedUntil: schedule.remindedUntil,
    ...agentAmends({ slotTime: booking.slot_time, partySize: booking.party_size }, asked),
    at,
  }
}

/** One unreversed accrual always: where the fee becomes another, the old one is taken back and the new one recorded. */
async function chargeAnew(
  tx: Db,
  booking: LockedBooking,
  { offering }: Choice,
  { partySize, at }: Amendment,
  { feePct }: Terms,
): Promise<NewEvent[]> {
  const { spend_per_guest_minor: spend } = offering.rules
  if (spend * partySize === booking.spend_per_guest_minor * booking.party_size) return []
  const fee = feeFor(spend, partySize, feePct, booking.currency)
  const reversed = await reverseFee(tx, booking.id, at)
  const account = { id: booking.id, accountId: booking.account_id, isDemo: booking.is_demo }
  await insertFeeAccrual(tx, account, fee, at)
  const data = { booking_id: booking.id, ...fee, is_demo: booking.is_demo }
  return [...feeReversed(booking, reversed), { type: 'fee.accrued', data }]
}
