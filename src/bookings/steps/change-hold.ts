import { MINUTE_MS } from '../../base/durations.ts'
import { refusalData } from '../../base/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { CommandDone, RunCommand } from '../hooks.ts'
import { HOLD_MINUTES } from '../rules/booking.ts'
import type { Decision } from '../rules/booking-messages.ts'
import { evaluatedAt } from '../rules/in-time.ts'
import { reasons } from '../rules/timeline-reasons.ts'
import { updateHoldUntil } from '../store/booking-changes.ts'
import { selectBooking } from '../store/booking-view.ts'
import type { LockedBooking } from '../store/bookings.ts'
import { type OpenCommand, selectOptionalOperatorsReason } from '../store/commands.ts'
import { guestKeptUntil, isGuestKnown, upsertGuest } from '../store/guests.ts'
import { fillGuestRef } from '../store/holds.ts'
import { updateReminders, updateWaitingAnswers } from '../store/requests.ts'
import type { Done } from '../store/transitions.ts'
import { decisionFor, feeOf } from './confirm.ts'
import { end, expireHold } from './end-booking.ts'
import { refused, refusedFor } from './refused.ts'
import { similarRefusal } from './similar.ts'

/**
 * Confirms a hold like any booking, if requested before its end and before the slot starts. A
 * booking already confirmed for this guest is returned unchanged.
 */
export const confirmHold: RunCommand = async (tx, booking, command, context) => {
  const { input } = command
  const { at } = context
  const { status, group_kind, group_id, hold_until, starts_at } = booking
  if (status !== 'held') return confirmAgain(tx, booking, command)
  // Only the itinerary confirms its own holds; agents cannot pass a `group_id`.
  if (group_kind === 'itinerary' && group_id !== input.group_id) {
    return refused('part_of_itinerary', booking)
  }
  if (booking.unpaid === 'x402') return refused('plan_required', booking)
  const { amount_minor } = feeOf(booking, context.terms.feePct)
  if (booking.unpaid || amount_minor > (booking.authorized_minor ?? amount_minor)) {
    return refused('fee_not_authorized', booking)
  }
  const isLate = hold_until !== null && hold_until <= evaluatedAt(command, at)
  const isOver = isLate || starts_at <= at
  if (isOver) return answerOf(await expireHold(tx, booking, context))
  const isMeant = group_kind === 'itinerary' || input.also === true
  const compared = comparedOf(booking, command)
  const similar = isMeant ? undefined : await similarRefusal(tx, compared, 'infinity')
  if (similar) return refusedFor(similar, booking)
  const [, decide] = decisionFor(booking.confirm_mode)
  return answerOf(await decide(tx, await withDetails(tx, booking, command), context))
}

/** The answer to a confirmation of what is no longer held. */
async function confirmAgain(
  tx: Db,
  booking: LockedBooking,
  command: ConfirmationDetails,
): Promise<CommandDone> {
  const { id, status } = booking
  const isDecided = status === 'confirmed'
  if (isDecided || status === 'pending' || status === 'offered') {
    if (await addsDetails(tx, booking, command)) {
      const what = `The hold is already ${status}, without these guest details, notes or reminders.`
      return refused('already_final', booking, what)
    }
    return { answer: isDecided ? { booking: await selectBooking(tx, id) } : null, events: [] }
  }
  if (status === 'expired') return refused('hold_expired', booking)
  const reason = await selectOptionalOperatorsReason(tx, id)
  return refused('already_final', booking, reason && `The slot was cancelled: ${reason}.`)
}

/** What a confirmation is compared with bookings, but not with other holds. */
const comparedOf = (hold: LockedBooking, { guest }: ConfirmationDetails) => ({
  bookingId: hold.id,
  accountId: hold.account_id,
  venueId: hold.venue_id,
  partySize: hold.party_size,
  startsAt: hold.starts_at,
  endsAt: hold.ends_at,
  guest: guest ?? {},
})

const answerOf = ({ result, events }: Done<Decision>): CommandDone => ({
  answer: result.answer,
  events,
})

type ConfirmationDetails = Pick<OpenCommand, 'input' | 'guest'>

/** Guest details, notes and reminders given when confirming replace those of the hold. */
async function withDetails(
  tx: Db,
  booking: LockedBooking,
  { input: { reminders }, guest }: ConfirmationDetails,
): Promise<LockedBooking> {
  const { id, starts_at } = booking
  if (guest) await upsertGuest(tx, id, { details: guest, eraseAfter: guestKeptUntil(starts_at) })
  if (guest?.guest_ref !== undefined) await fillGuestRef(tx, id, guest.guest_ref)
  if (!Array.isArray(reminders)) return booking
  await updateReminders(tx, id, reminders)
  return { ...booking, reminders }
}

/** Whether a late confirmation adds anything to the previous one. */
async function addsDetails(tx: Db, booking: LockedBooking, { input, guest }: ConfirmationDetails) {
  const { id, reminders } = booking
  const { reminders: ownReminders = reminders } = input
  const areSame = JSON.stringify(ownReminders) === JSON.stringify(reminders)
  return !areSame || (guest !== null && !(await isGuestKnown(tx, id, guest)))
}

/** Extends a hold, once. */
export const extendHold: RunCommand = async (tx, booking, command, { at }) => {
  const { status, hold_until, hold_extended } = booking
  if (status === 'expired') return refused('hold_expired', booking)
  if (status !== 'held' || !hold_until) return refused('already_final', booking)
  if (booking.group_kind === 'itinerary') return refused('part_of_itinerary', booking)
  if (hold_until <= evaluatedAt(command, at))
    return refused('hold_expired', booking, 'The hold is over.')
  if (hold_extended) {
    const until = hold_until.toISOString()
    return refused('already_extended', booking, `It was extended to ${until}.`, {
      hold_until: until,
    })
  }
  const until = new Date(hold_until.getTime() + HOLD_MINUTES * MINUTE_MS)
  await updateHoldUntil(tx, booking, until, at)
  return { answer: { booking: await selectBooking(tx, booking.id) }, events: [] }
}

/** Releases a hold. If it has already been released or has expired, nothing changes. */
export const releaseHold: RunCommand = async (tx, booking, _, context) => {
  const { id, status } = booking
  if (status === 'released' || status === 'expired') {
    return { answer: { booking: await selectBooking(tx, id) }, events: [] }
  }
  if (status !== 'held') {
    return refused('already_final', booking, `The booking is ${status}: cancel it instead.`)
  }
  const what = 'The booking was released before it was confirmed.'
  const refusal = refusalData('already_final', what, { booking_id: id })
  await updateWaitingAnswers(tx, id, { refusal })
  const move = { to: 'released', reasonCode: 'released', nextActionAt: null } as const
  const { events } = await end(tx, booking, { ...move, ...reasons.agentWants }, context)
  return { answer: { booking: await selectBooking(tx, id) }, events }
}
