import { type Wish, wishOfService } from '../../availability/rules/service-terms.ts'
import {
  type Choice,
  claimOf,
  evaluateServices,
  takeInventory,
} from '../../availability/steps/evaluate-services.ts'
import { dropInventory } from '../../availability/store/inventory.ts'
import { dateOf } from '../../base/local-time.ts'
import type { Booking } from '../../contract/public.ts'
import { attempt, type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import type { CommandDone, StepContext } from '../hooks.ts'
import type { BookingStart, CommandAnswer } from '../rules/booking-messages.ts'
import { evaluatedAt } from '../rules/in-time.ts'
import { agentAmends } from '../rules/timeline-reasons.ts'
import { selectBookingStart } from '../store/booking-starts.ts'
import { selectBooking } from '../store/booking-view.ts'
import { type LockedBooking, selectBookingForUpdate } from '../store/bookings.ts'
import type { OpenCommand } from '../store/commands.ts'
import { selectDecision } from '../store/requests.ts'
import { amendTo, targetOf } from './amend-booking.ts'
import { amendRefusal, raiseRefusal } from './amendable.ts'
import { explainUnavailable, withAlternatives } from './explain-unavailable.ts'
import { limitRefusal } from './limits.ts'
import { refused, refusedFor, requestRefused } from './refused.ts'

/** The requested change; missing fields stay as they are. */
type RequestedChange = {
  slot_time?: unknown
  party_size?: unknown
  service?: unknown
  minutes?: unknown
  with?: unknown
}

/**
 * Moves a booking to another slot or party size at its venue. A single transaction releases its
 * inventory and takes the new one, so the two may overlap; if the new one is taken, nothing
 * changes. A venue that confirms its bookings is asked first; meanwhile both slots are held.
 * Does the look-ups that need no lock, and returns the work of the transaction.
 */
export async function amend(
  db: Pool,
  start: BookingStart,
  command: Pick<OpenCommand, 'input' | 'given_at'>,
  context: StepContext,
) {
  const plan = await planOf(db, start, command.input, context)
  const evaluation = {
    ...context,
    askedAt: evaluatedAt(command, context.at),
    isOnPage: command.input.page === true,
  }
  return async (tx: Db, booking: LockedBooking): Promise<CommandDone> => {
    if (await context.venue.isChangeRequested(tx, booking, plan.wanted)) {
      return { answer: null, events: [] }
    }
    const isVenueAsked = booking.status === 'confirmed' && booking.confirm_mode !== 'auto'
    return takeFirst(tx, booking, plan, isVenueAsked ? requestChange : move, evaluation)
  }
}

/** What an amendment would return now; runs it and rolls it back, without asking the venue. */
export async function dryRunAmend(
  db: Pool,
  start: BookingStart,
  change: RequestedChange,
  context: StepContext,
): Promise<CommandAnswer> {
  const { answer, state } = await selectDecision(db, start.bookingId)
  if (!state) return (answer ? requestRefused(start) : undecided(start)).answer
  const plan = await planOf(db, start, change, context)
  return transaction(db, async (tx) => {
    const booking = await selectBookingForUpdate(tx, start.bookingId)
    let done: CommandDone | undefined
    await attempt(tx, async () => {
      done = await takeFirst(tx, booking, plan, move, {
        ...context,
        askedAt: context.at,
        isOnPage: false,
      })
      return undefined
    })
    if (!done?.answer) throw new Error('a dry run without an answer')
    return done.answer
  })
}

const undecided = ({ bookingId: id }: BookingStart) =>
  refused('not_decided_yet', { id, status: 'pending' }, 'The request has not been decided yet.')

/** The requested slot, the services that allow it, and the refusal if none is available. */
async function planOf(
  db: Pool,
  { bookingId }: BookingStart,
  change: RequestedChange,
  { venue, at }: StepContext,
) {
  const { slot_time, party_size, service, minutes, with: leader } = change
  const current = await selectBooking(db, bookingId)
  // An earlier change may have changed what was wished for.
  const start = await selectBookingStart(db, bookingId)
  const slotTime = String(slot_time ?? current.slot_time)
  const partySize = Number(party_size ?? current.party_size)
  const own = current.service
  const wish = wishOf(start, change, own)
  const changed = { ...start, slotTime, partySize, ...wish }
  const evaluation = await evaluateServices(db, changed, at, current)
  const why = await explainUnavailable(db, changed, evaluation, at)
  const isOther =
    (service !== undefined && wish.serviceId !== own?.id) ||
    (wish.session !== undefined && wish.session !== own?.session) ||
    (minutes !== undefined && minutes !== own?.minutes) ||
    (leader !== undefined && leader !== start.leaderId)
  const isChange = isOther || slotTime !== current.slot_time || partySize !== current.party_size
  // Without a wish, the booking stays with its service if it can.
  const isOwn = (one: Choice) => Number(one.service.id === own?.id)
  return {
    wanted: changed,
    choices: evaluation.choices.toSorted((a, b) => isOwn(b) - isOwn(a)),
    isChange,
    refusal: isChange ? await withAlternatives(db, changed, why, { at, isChange }) : why,
    takesAmend: await venue.takesChanges(db, start.venueId, current.confirm_mode),
  }
}

/** What a booking goes on being if only its time changes. */
export async function keptWish(db: Db, bookingId: string): Promise<Wish> {
  const { service } = await selectBooking(db, bookingId)
  return wishOf(await selectBookingStart(db, bookingId), {}, service)
}

/** What people book for its own sake. A table can be another one at another time. */
const isFixed = (own: Booking['service']) => own?.kind === 'treatment' || own?.kind === 'class'

/** The wish of a change, which otherwise keeps service, length and person as they are now. */
function wishOf(
  start: BookingStart,
  { service, minutes, with: leader }: RequestedChange,
  own: Booking['service'],
) {
  const named = service === undefined ? undefined : wishOfService(String(service))
  const isOwn = named === undefined || named.serviceId === own?.id
  const isChosen = [service, minutes, leader].some((one) => one !== undefined)
  const isKept = isChosen || start.serviceId !== undefined || isFixed(own)
  return {
    serviceId: isKept ? (named?.serviceId ?? own?.id) : undefined,
    session: named ? named.session : start.session,
    minutes: minutes === undefined ? undefined : Number(minutes),
    keptMinutes: isOwn ? own?.minutes : undefined,
    leaderId: leader === undefined ? (isOwn ? start.leaderId : undefined) : String(leader),
  }
}

async function takeFirst(
  tx: Db,
  booking: LockedBooking,
  { wanted: changed, choices, refusal, isChange, takesAmend }: Awaited<ReturnType<typeof planOf>>,
  change: Change,
  context: AskedContext,
): Promise<CommandDone> {
  const not = amendRefusal(booking, takesAmend, context.at)
  if (not) return not
  if (!isChange) {
    return { answer: { booking: await selectBooking(tx, booking.id) }, events: [] }
  }
  for (const choice of choices) {
    const target = targetOf(booking, choice, changed.partySize, context.askedAt)
    const why =
      (await slotRefusal(tx, booking, changed, choice, context)) ??
      raiseRefusal(booking, target, context.terms.feePct)
    if (why) return refusedFor(why, booking)
    const done = await attempt(tx, () => change(tx, booking, choice, changed.partySize, context))
    if (done) return done
  }
  return refusedFor(refusal, booking)
}

/** A moved booking takes its slot like a new one, and counts towards its new day. */
async function slotRefusal(
  tx: Db,
  { id, account_id: accountId, slot_time }: LockedBooking,
  changed: BookingStart,
  choice: Choice,
  { terms: { limits }, at }: StepContext,
) {
  const { venueId, venueName, slotTime, timezone } = changed
  const { slot } = choice
  if (slotTime === slot_time) return undefined
  const moving = { id, isSameDay: dateOf(slotTime) === dateOf(slot_time) }
  const wantedSlot = { accountId, venueId, venueName, slotTime, timezone, moved: moving }
  return limitRefusal(tx, wantedSlot, slot, { limits, at })
}

/** `askedAt` determines whether a change was requested in time, however late a worker runs it. */
type AskedContext = StepContext & { askedAt: Date; isOnPage: boolean }

/** Undefined if the new inventory is taken; the caller must then roll back. */
type Change = (
  tx: Db,
  booking: LockedBooking,
  choice: Choice,
  partySize: number,
  context: AskedContext,
) => Promise<CommandDone | undefined>

const requestChange: Change = (tx, booking, choice, partySize, context) => {
  const target = targetOf(booking, choice, partySize, context.askedAt)
  const { isOnPage } = context
  return context.venue.requestChange(tx, booking, { choice, target, isOnPage }, context)
}

const move: Change = async (tx, booking, choice, partySize, context) => {
  const claim = claimOf(choice, { bookingId: booking.id, partySize })
  const target = targetOf(booking, choice, partySize, context.askedAt)
  const reason = agentAmends(booking, target, context.isOnPage)
  if (booking.status === 'confirmed')
    await context.venue.announceMove(tx, booking, target.slot_time)
  return amendTo(tx, booking, target, { ...context, reason }, async () => {
    await dropInventory(tx, booking.id, claim)
    return takeInventory(tx, choice.service, claim)
  })
}
