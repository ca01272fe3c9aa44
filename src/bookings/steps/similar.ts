import { type RefusalData, refusalData } from '../../base/errors.ts'
import { type Db, together } from '../../platform/database/sql.ts'
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
  const { id, status, venue, slot_time, party_size } = similar
  const when = slot_time.slice(0, 16).replace('T', ' at ')
  const what = `You already have a booking like this: ${party_size} at ${venue.name}, ${when}`
  const isHeld = status === 'held'
  const how = isHeld ? `held for you; confirm it with \`hold_id\` ${id}` : status
  const facts = { booking_id: id, booking_status: status, ...(isHeld && { hold_id: id }), similar }
  return refusalData('similar_booking', `${what} (${how}).`, facts)
}
