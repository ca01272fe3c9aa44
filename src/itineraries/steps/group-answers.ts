import { selectBooking } from '../../bookings/store/booking-view.ts'
import { type RefusalData, refusalData } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { GroupAnswer } from '../rules/group-messages.ts'
import type { GroupStatus } from '../rules/groups.ts'
import type { LockedGroup, MemberState } from '../store/group-progress.ts'
import { selectChoices } from '../store/group-view.ts'

const ALTERNATIVES = 5

/** What the request for a group is answered when it is over; an itinerary that was booked is read as it stands. */
export async function answerOf(
  tx: Db,
  group: LockedGroup,
  members: readonly MemberState[],
  to: GroupStatus,
): Promise<GroupAnswer> {
  if (group.kind === 'any_of') return answerOfChoices(tx, group, members)
  if (to === 'confirmed') return { output: { itinerary_id: group.id } }
  const refusal = group.refusal ?? refusalData('itinerary_not_possible')
  return { refusal: { ...refusal, facts: { ...refusal.facts, itinerary_id: group.id } } }
}

async function answerOfChoices(
  tx: Db,
  { id }: LockedGroup,
  members: readonly MemberState[],
): Promise<GroupAnswer> {
  const choices = await selectChoices(tx, id)
  const booked = members.find(({ status }) => status === 'confirmed' || status === 'completed')
  if (booked) {
    const booking = await selectBooking(tx, booked.bookingId)
    return { output: { booking, choice: booked.position, choices } }
  }
  const isCancelled = members.some(({ status }) => status === 'cancelled')
  const facts = { choices, alternatives: alternativesOf(members) }
  if (isCancelled && members.some(({ cancelledBy }) => byAgent.includes(cancelledBy))) {
    return { refusal: refusalData('booking_cancelled', undefined, facts) }
  }
  return { refusal: refusalData('no_alternative_free', undefined, facts) }
}

const byAgent: readonly unknown[] = ['agent', 'guest']

/** Why an itinerary cannot be booked: it was cancelled, one of its parts failed, or its time was over. */
export function whyUndone(group: LockedGroup, members: readonly MemberState[]): RefusalData {
  if (group.cancel_by) return refusalData('booking_cancelled', 'The itinerary was cancelled.')
  const failed = members.find(({ status }) => !stands.includes(status))
  if (!failed) {
    const what = `Not every venue had said yes by ${group.answer_by?.toISOString()}.`
    return refusalData('itinerary_not_possible', what)
  }
  const { position: part, refusal, status } = failed
  const why = refusal?.code ?? status
  const what = `Part ${part} could not be booked (${why}).`
  const alternatives = alternativesOf([failed])
  return refusalData('itinerary_not_possible', what, { part, reason: why, alternatives })
}

const stands: readonly string[] = ['waiting', 'opening', 'held', 'pending', 'offered', 'confirmed']

type Alternative = { venue: { id: string }; slot_time: string }

/** What else there is, as the refusals name it, the first of each before the second of any, and nothing twice. */
function alternativesOf(members: readonly MemberState[]): Alternative[] {
  const lists = members.map(({ refusal }) => (refusal?.facts.alternatives ?? []) as Alternative[])
  const ranks = Math.max(0, ...lists.map(({ length }) => length))
  const inTurn = Array.from({ length: ranks }, (_, rank) =>
    lists.flatMap((list) => list.slice(rank, rank + 1)),
  )
  const different = new Map(
    inTurn.flat().map((one) => [`${one.venue.id} ${one.slot_time}`, one] as const),
  )
  return [...different.values()].slice(0, ALTERNATIVES)
}
