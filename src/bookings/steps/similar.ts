import { type RefusalData, refusalData } from '../../base/errors.ts'
import type { Booking } from '../../contract/public.ts'
import { type Db, together } from '../../platform/database/sql.ts'
import type { BookingStart } from '../rules/booking-messages.ts'
import {
  type ComparedBooking,
  type HeldAfter,
  lockSimilar,
  type SimilarBooking,
  selectOptionalSimilar,
} from '../store/similar.ts'

/**
 * Refuses a booking that resembles a live one of the account, unless its request says `also`. Locks
 * and reads in one round trip; of two similar bookings made at once, the second is refused.
 */
export async function similarRefusal(tx: Db, one: ComparedBooking, heldAfter: HeldAfter) {
  const [, similar] = await together(
    lockSimilar(tx, one),
    selectOptionalSimilar(tx, one, heldAfter),
  )
  return similar && refusalBy(similar)
}

/** `similar_booking`, with the booking that the account has. */
export function refusalBy(similar: SimilarBooking): RefusalData {
  const { id, status } = similar
  const isHeld = status === 'held'
  const how = isHeld ? `held for you; confirm it with \`hold_id\` ${id}` : status
  const facts = { booking_id: id, booking_status: status, ...(isHeld && { hold_id: id }), similar }
  return refusalData('similar_booking', `${describe(similar)} (${how}).`, facts)
}

function describe({ venue, slot_time, party_size }: SimilarBooking): string {
  const when = slot_time.slice(0, 16).replace('T', ' at ')
  return `You already have a booking like this: ${party_size} at ${venue.name}, ${when}`
}

type Changed = Pick<Booking, 'party_size' | 'starts_at' | 'ends_at'>

/** Names, for `next`, a live booking that a changed one resembles. The change itself is made. */
export async function similarNotes(
  db: Db,
  start: BookingStart,
  { party_size: partySize, starts_at, ends_at }: Changed,
  at: Date,
): Promise<string[]> {
  const startsAt = new Date(starts_at)
  const one = { ...start, partySize, startsAt, endsAt: new Date(ends_at ?? starts_at) }
  const similar = await selectOptionalSimilar(db, one, at)
  if (!similar) return []
  const which = `(${similar.status}, id ${similar.id})`
  return [`${describe(similar)} ${which}: cancel one of them unless your user wants both.`]
}
