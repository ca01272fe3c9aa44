import { selectOptionalVenueRef } from '../../availability/store/venues.ts'
import { accountOf, type Context } from '../../contract/define.ts'
import { type Booking, booking } from '../../contract/public.ts'
import { Refusal, refuse } from '../../contract/rules/errors.ts'
import { invalidRequest } from '../../contract/rules/invalid-request.ts'
import { parseSlotTime, toInstant } from '../../contract/rules/slot-time.ts'
import type { BookingStart, ConfirmAnswer } from '../rules/booking-messages.ts'
import { selectBooking } from '../store/booking-view.ts'
import { selectOptionalAnswer } from '../store/requests.ts'
import { type BookingRequest, recordRequest } from './booking-request.ts'

/** What came of a request for a slot: its booking, and whether that is the final answer or somebody's earlier request. */
export type Opened = {
  isPending: boolean
  booking: Booking
  flags: { replayed?: true; joined?: true }
}

/**
 * Takes a slot, to be confirmed at once or to be held: writes the request down, has its workflow decide and waits up to
 * `wait` seconds for the answer. Throws the refusal that it led to.
 */
export async function openRequest(
  ctx: Context,
  operation: 'confirm' | 'hold',
  asked: BookingRequest,
  { key, wait }: { key: string | undefined; wait: number },
): Promise<Opened> {
  const { venue, slot } = await findSlot(ctx, asked)
  const request = await recordRequest(ctx, operation, asked, slot, key ?? null)
  const start: BookingStart = {
    bookingId: request.bookingId,
    accountId: accountOf(ctx).id,
    venueId: venue.id,
    venueSlug: venue.slug,
    venueName: venue.name,
    slotTime: slot.local,
    timezone: venue.timezone,
    startsAt: slot.startsAt.toISOString(),
    partySize: asked.party_size,
    ...(operation === 'hold' && { purpose: operation }),
  }
  const answer = request.answer ?? (await awaitAnswer(ctx, start, wait))
  const flags = {
    ...(request.repeats === 'key' && { replayed: true as const }),
    ...(request.repeats === 'equal request' && { joined: true as const }),
  }
  if (answer && 'refusal' in answer) {
    const { refusal } = answer
    throw new Refusal({ ...refusal, facts: { ...refusal.facts, ...flags } })
  }
  return answer
    ? { isPending: false, booking: booking.parse(answer.booking), flags }
    : { isPending: true, booking: await selectBooking(ctx.db, start.bookingId), flags: {} }
}

/** The venue that is asked for, and the slot there; throws `venue_not_found` and what is wrong with the time. */
export async function findSlot(
  { db }: Context,
  { venue_id, slot_time }: Pick<BookingRequest, 'venue_id' | 'slot_time'>,
) {
  const venue = await selectOptionalVenueRef(db, venue_id)
  if (!venue) throw refuse('venue_not_found')
  return { venue, slot: localSlot(slot_time, venue.timezone) }
}

/** What to do while the answer is pending. */
export const nextWhilePending = ({ id, offer }: Booking): string =>
  offer
    ? `The venue offers ${offer.slot_time} instead: accept or refuse it before ${offer.answer_by}.`
    : `Read the booking ${id} in a few seconds, or repeat this request to wait for it.`

/** The slot in normal form. A local time that a change of clocks skips is no slot. */
export function localSlot(text: string, timezone: string): { local: string; startsAt: Date } {
  const parsed = parseSlotTime(text)
  if ('problem' in parsed) {
    if (parsed.problem === 'offset') throw refuse('slot_time_has_offset', undefined, { timezone })
    const detail = 'expected a local date-time as in 2026-12-24T19:00:00'
    throw invalidRequest([{ pointer: '/slot_time', detail }])
  }
  const startsAt = toInstant(timezone, parsed.local)
  if (!startsAt) throw refuse('slot_off_grid', `${parsed.local} does not exist in ${timezone}.`)
  return { local: parsed.local, startsAt }
}

/** The answer within `wait` seconds, or the one that was stored just as they ended; null when there is none yet. */
async function awaitAnswer(
  ctx: Context,
  start: BookingStart,
  wait: number,
): Promise<ConfirmAnswer | null> {
  const answer = await ctx.engine.confirm(start, wait)
  return answer === 'pending' ? selectOptionalAnswer(ctx.db, start.bookingId) : answer
}
