import type { Db } from '../../platform/database/sql.ts'
import type { RunCommand } from '../hooks.ts'
import { selectBooking } from '../store/booking-view.ts'
import type { LockedBooking } from '../store/bookings.ts'
import type { OpenCommand } from '../store/commands.ts'
import { updateReminders } from '../store/requests.ts'
import { decisionFor } from './decide-booking.ts'
import { expireHold } from './end-booking.ts'
import { refused } from './refused.ts'

/** Confirms a hold like any booking; one that is confirmed already is answered as it is. */
export const confirmHold: RunCommand = async (tx, booking, { input }, context) => {
  const { at } = context
  if (booking.status === 'confirmed') {
    return { answer: { booking: await selectBooking(tx, booking.id) }, events: [] }
  }
  const isAwaited = booking.status === 'pending' || booking.status === 'offered'
  if (isAwaited) return { answer: null, events: [] }
  if (booking.status === 'expired') return refused('hold_expired', booking)
  if (booking.status !== 'held') return refused('already_final', booking)
  if (isAnothers(booking, input.group_id)) return refused('part_of_itinerary', booking)
  const isOver =
    booking.starts_at <= at || (booking.hold_until !== null && booking.hold_until <= at)
  const [, decide] = decisionFor(booking.confirm_mode)
  const { result, events } = isOver
    ? await expireHold(tx, booking, context)
    : await decide(tx, await withReminders(tx, booking, input), context)
  return { answer: result.answer, events }
}

/** Only the itinerary confirms its own holds; an agent cannot pass a `group_id`. */
const isAnothers = ({ group_kind, group_id }: LockedBooking, groupId: unknown) =>
  group_kind === 'itinerary' && group_id !== groupId

/** Reminders given with the confirmation replace those of the hold. */
async function withReminders(
  tx: Db,
  booking: LockedBooking,
  { reminders }: OpenCommand['input'],
): Promise<LockedBooking> {
  if (!Array.isArray(reminders)) return booking
  await updateReminders(tx, booking.id, reminders)
  return { ...booking, reminders }
}
