import type { OfferedSlot } from '../../availability/rules/slots.ts'
import { type RefusalData, refusalData } from '../../contract/rules/errors.ts'
import { dateOf } from '../../contract/rules/local-time.ts'
import type { Db } from '../../platform/database/sql.ts'
import { grown, type Limits, mayTakeAgainAt, mostReturns } from '../rules/limits.ts'
import { lockLimits, type Place, selectLoad, selectReturns } from '../store/limits.ts'

/** What limits an account: the operator's word about it or, without one, the usual limits. */
type AccountLimits = { own: Limits | undefined; usual: Limits }

/**
 * Reads the limits of an account, and keeps everybody else from counting what it has until the
 * transaction ends. Comes before every other lock.
 */
export const lockAccountLimits = async (
  tx: Db,
  accountId: string,
  usual: Limits,
): Promise<AccountLimits> => ({ own: await lockLimits(tx, accountId), usual })

type Again = { slot: Pick<OfferedSlot, 'startsAt' | 'endsAt'>; at: Date }

/**
 * Why an account may not have one more booking or watch at this place, or may not take this slot
 * again after it has given it back too often; undefined if it may.
 */
export async function whyNotOneMore(
  tx: Db,
  place: Place,
  { own, usual }: AccountLimits,
  again?: Again,
): Promise<RefusalData | undefined> {
  if (own && own.live === null && own.perVenueDay === null) return undefined
  const load = await selectLoad(tx, place)
  const { live, perVenueDay } = own ?? grown(usual, load.completed)
  if (live !== null && load.live >= live && place.movedId === undefined) {
    const what = `The account may have ${live} live bookings, holds and watches.`
    return refusalData('booking_limit', what, { limit: live, live: load.live })
  }
  if (perVenueDay === null) return undefined
  if (load.atVenue >= perVenueDay) {
    const { venueName, venueId: venue_id } = place
    const date = dateOf(place.slotTime)
    const what = `The account may have ${perVenueDay} live bookings at ${venueName} on ${date}.`
    const facts = { limit: perVenueDay, live: load.atVenue, venue_id, date }
    return refusalData('booking_limit', what, facts)
  }
  return again && whyNotAgain(tx, place, { ...again, perVenueDay })
}

async function whyNotAgain(
  tx: Db,
  place: Place,
  { slot, at, perVenueDay }: Again & { perVenueDay: number },
) {
  const returns = await selectReturns(tx, place, slot, { at, most: mostReturns(perVenueDay) })
  const until = mayTakeAgainAt(returns, perVenueDay)
  if (!until || until <= at) return undefined
  const times = `${returns.length} times in the last 24 hours`
  const what = `The account has taken this slot or one that overlaps and given it back ${times}.`
  const retry_after = Math.ceil((until.getTime() - at.getTime()) / 1000)
  return refusalData('slot_given_back_too_often', what, { until: until.toISOString(), retry_after })
}
