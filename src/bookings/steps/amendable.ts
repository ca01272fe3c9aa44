import { withLocalTimes } from '../../contract/twins.ts'
import { MOST_CHANGES } from '../rules/booking.ts'
import type { LockedBooking } from '../store/bookings.ts'
import { refused } from './refused.ts'

/** Why a booking cannot be amended at all; undefined when it can. */
export function whyNotAmendable(booking: LockedBooking, takesAmend: boolean, at: Date) {
  const { status, starts_at, hold_until, changes } = booking
  if (status === 'pending' || status === 'offered') return refused('not_decided_yet', booking)
  if (status === 'expired') return refused('hold_expired', booking)
  if (isOfUnsettledItinerary(booking)) return refused('part_of_itinerary', booking)
  if (status !== 'held' && status !== 'confirmed') return refused('already_final', booking)
  if (starts_at <= at) return refused('already_final', booking, 'The slot has begun.')
  if (status === 'held' && hold_until && hold_until <= at) return refused('hold_expired', booking)
  if (changes >= MOST_CHANGES) {
    return refused('too_many_changes', booking, `It was changed ${changes} times.`)
  }
  return status === 'confirmed' ? whyVenueDoesNot(booking, takesAmend) : undefined
}

/** Held, or confirmed by its venue only: its fee is owed once all parts are confirmed. */
const isOfUnsettledItinerary = ({ status, group_kind, fee_status }: LockedBooking) =>
  group_kind === 'itinerary' &&
  (status === 'held' || (status === 'confirmed' && fee_status === 'none'))

/** People at venues cannot be asked for changes; a system is asked for one change at a time. */
function whyVenueDoesNot(booking: LockedBooking, takesAmend: boolean) {
  const { confirm_mode, change_phase, answer_by } = booking
  if (confirm_mode === 'auto') return undefined
  if (confirm_mode === 'request' || !takesAmend) return refused('amend_not_supported', booking)
  if (change_phase === 'asked') {
    const what = 'The venue is still being asked for another change.'
    const facts = { answer_by: answer_by?.toISOString() ?? null }
    const until = withLocalTimes(facts, booking.timezone, ['answer_by'])
    return refused('not_decided_yet', booking, what, until)
  }
  const what = 'The venue has yet to agree that an earlier change is off.'
  return change_phase === null ? undefined : refused('not_decided_yet', booking, what)
}
