import { refusalData } from '../../base/errors.ts'
import { money } from '../../base/money.ts'
import { withLocalTimes } from '../../contract/local-times.ts'
import type { ChangeTarget } from '../hooks.ts'
import { MAX_CHANGES } from '../rules/booking.ts'
import type { LockedBooking } from '../store/bookings.ts'
import { feeOf } from './confirm.ts'
import { refused } from './refused.ts'

/** Why a booking cannot be amended at all; undefined if it can. */
export function amendRefusal(booking: LockedBooking, takesAmend: boolean, at: Date) {
  const { status, starts_at, hold_until, changes } = booking
  if (status === 'pending' || status === 'offered') {
    return whyVenueNever(booking, takesAmend) ?? notDecidedYet(booking)
  }
  if (status === 'expired') return refused('hold_expired', booking)
  if (isOfUnsettledItinerary(booking)) return refused('part_of_itinerary', booking)
  if (status !== 'held' && status !== 'confirmed') return refused('already_final', booking)
  if (starts_at <= at) return refused('already_final', booking, 'The slot has begun.')
  if (status === 'held' && hold_until && hold_until <= at) return refused('hold_expired', booking)
  if (changes >= MAX_CHANGES) {
    return refused('too_many_changes', booking, `It was changed ${changes} times.`)
  }
  return status === 'confirmed' ? whyVenueDoesNot(booking, takesAmend) : undefined
}

/** Why a change may not raise a fee that a card pays: it was authorised when it was booked. */
export function raiseRefusal(booking: LockedBooking, target: ChangeTarget, feePct: number) {
  const { status, card_limit_minor: limit, currency } = booking
  if (limit === null || status !== 'confirmed') return undefined
  const { amount_minor } = feeOf({ ...booking, ...target }, feePct)
  if (amount_minor <= Math.max(limit, feeOf(booking, feePct).amount_minor)) return undefined
  const [to, most] = [amount_minor, limit].map((minor) => money(minor, currency))
  const what = `The fee would be ${to}, of which the card has authorised ${most}.`
  return refusalData('fee_above_authorized', what)
}

/** Whether a part is held, or confirmed only by its venue, so that its fee is not yet owed. */
const isOfUnsettledItinerary = ({ status, group_kind, fee_status }: LockedBooking) =>
  group_kind === 'itinerary' &&
  (status === 'held' || (status === 'confirmed' && fee_status === 'none'))

/** Some systems of venues, and the people of test venues, cannot be asked for changes. */
function whyVenueNever(booking: LockedBooking, takesAmend: boolean) {
  const never = booking.confirm_mode !== 'auto' && !takesAmend
  return never ? refused('amend_not_supported', booking) : undefined
}

/** A venue is asked for only one change at a time. */
function whyVenueDoesNot(booking: LockedBooking, takesAmend: boolean) {
  const never = whyVenueNever(booking, takesAmend)
  if (never || booking.change_phase === null) return never
  return booking.change_phase === 'asked'
    ? notDecidedYet(booking, 'The venue is still being asked for another change.')
    : refused(
        'not_decided_yet',
        booking,
        'The venue has yet to agree that an earlier change is off.',
      )
}

function notDecidedYet(booking: LockedBooking, what?: string) {
  const facts = { answer_by: booking.answer_by?.toISOString() ?? null }
  const until = withLocalTimes(facts, booking.timezone, ['answer_by'])
  return refused('not_decided_yet', booking, what, until)
}
