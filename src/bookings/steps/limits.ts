import type { OfferedSlot } from '../../availability/rules/slots.ts'
import { type RefusalData, refusalData } from '../../base/errors.ts'
import { dateOf } from '../../base/local-time.ts'
import { withLocalTimes } from '../../contract/local-times.ts'
import { type Db, together } from '../../platform/database/sql.ts'
import { grown, type Limits, mayTakeAgainAt } from '../rules/limits.ts'
import {
  type Load,
  lockLimits,
  selectLimits,
  selectLoad,
  selectReturns,
  type WantedSlot,
  whyClosed,
} from '../store/limits.ts'

/** The limits of an account: those set by the operator or else the usual ones. */
type AccountLimits = { own: Limits | undefined; usual: Limits }

type Slot = Pick<OfferedSlot, 'startsAt' | 'endsAt'>

/**
 * Why an account may not add a booking or watch for this slot: it has too many, gave the slot back
 * too often, or is closed. Undefined if it may. Locks and reads in one round trip. Must come before
 * every other lock.
 */
export async function limitRefusal(
  tx: Db,
  request: WantedSlot,
  slot: Slot,
  { limits: usual, at }: { limits: Limits; at: Date },
): Promise<RefusalData | undefined> {
  const [own, closure, load, returns] = await together(
    lockLimits(tx, request.accountId),
    whyClosed(tx, request.accountId),
    selectLoad(tx, request),
    selectReturns(tx, request, slot, at),
  )
  if (closure) return closure
  const refusal = whyTooMany(request, { own, usual }, load)
  const { perVenueDay } = limitsOf({ own, usual }, load)
  if (refusal || perVenueDay === null) return refusal
  return repeatRefusal(request, returns, perVenueDay, at)
}

/**
 * Whether to offer a slot to an account that may have given it back too often. Takes no lock,
 * because an offer is made in another account's transaction.
 */
export async function mayBeOffered(
  tx: Db,
  request: WantedSlot,
  slot: Slot,
  { limits: usual, at }: { limits: Limits; at: Date },
): Promise<boolean> {
  const [own, load, returns] = await together(
    selectLimits(tx, request.accountId),
    selectLoad(tx, request),
    selectReturns(tx, request, slot, at),
  )
  const { perVenueDay } = limitsOf({ own, usual }, load)
  return perVenueDay === null || !repeatRefusal(request, returns, perVenueDay, at)
}

function repeatRefusal(
  { timezone }: WantedSlot,
  returns: readonly Date[],
  perVenueDay: number,
  at: Date,
) {
  const until = mayTakeAgainAt(returns, perVenueDay)
  if (!until || until <= at) return undefined
  const times = `${returns.length} times in the last 24 hours`
  const what = `The account has taken this slot or one that overlaps and given it back ${times}.`
  const retry_after = Math.ceil((until.getTime() - at.getTime()) / 1000)
  const facts = withLocalTimes({ until: until.toISOString(), retry_after }, timezone, ['until'])
  return refusalData('slot_given_back_too_often', what, facts)
}

const limitsOf = ({ own, usual }: AccountLimits, { completed }: Load): Limits =>
  own ?? grown(usual, completed)

function whyTooMany(
  { venueName, venueId: venue_id, slotTime, moved }: WantedSlot,
  account: AccountLimits,
  load: Load,
): RefusalData | undefined {
  const { live, perVenueDay } = limitsOf(account, load)
  if (live !== null && load.live >= live && moved === undefined) {
    const what = `The account can have ${live} live bookings, holds and watches.`
    return refusalData('booking_limit', what, { limit: live, live: load.live })
  }
  if (perVenueDay === null || load.atVenue < perVenueDay || moved?.isSameDay) return undefined
  const date = dateOf(slotTime)
  const what = `The account can have ${perVenueDay} live bookings at ${venueName} on ${date}.`
  return refusalData('booking_limit', what, {
    limit: perVenueDay,
    live: load.atVenue,
    venue_id,
    date,
  })
}
