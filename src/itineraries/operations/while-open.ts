import { isPersonUnattended } from '../../bookings/operations/open-request.ts'
import { isAwaited, whileWaiting } from '../../bookings/rules/pending.ts'
import type { OwnBooking } from '../../contract/public.ts'
import type { GroupContext } from '../engine.ts'
import { isInProgress } from '../rules/groups.ts'
import type { Itinerary } from '../schema.ts'
import { selectMembers } from '../store/group-progress.ts'

const SOON_SECONDS = 2

/** What to do while an itinerary is in progress, and when to check it again. */
export function whileOpen({ id, status, parts }: Itinerary, at: Date) {
  if (!isInProgress(status)) return {}
  const waiting = parts.flatMap(({ part, booking }) =>
    booking && isAwaited(booking) && hasDeadline(booking)
      ? [{ part, ...whileWaiting(booking, at) }]
      : [],
  )
  const retry_after = Math.max(SOON_SECONDS, ...waiting.map((one) => one.retry_after))
  const who = waiting.map(({ part, next }) => `Part ${part}: ${next}`)
  const hint = `Call \`GET /api/itineraries/${id}\` again after ${retry_after} seconds.`
  return { next: [...who, hint].join(' '), retry_after }
}

/** A booking without a deadline is still being decided by the network. */
const hasDeadline = ({ answer_by, change }: OwnBooking) =>
  (change ?? { answer_by }).answer_by !== null

/** Whether one of a group’s bookings awaits a person who is not at the venue at the moment. */
export async function isGroupUnattended(ctx: GroupContext, groupId: string): Promise<boolean> {
  const members = await selectMembers(ctx.db, groupId)
  const asking = members.filter(
    ({ status, confirmMode }) => status === 'pending' && confirmMode === 'request',
  )
  const far = await Promise.all(asking.map(({ bookingId }) => isPersonUnattended(ctx, bookingId)))
  return far.includes(true)
}
