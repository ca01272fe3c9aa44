import { type RefusalData, refusalData } from '../../base/errors.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { GroupAnswer } from '../rules/group-messages.ts'
import type { GroupStatus } from '../rules/groups.ts'
import type { LockedGroup, MemberState } from '../store/group-progress.ts'
import { selectChoices } from '../store/group-view.ts'

const ALTERNATIVES = 5

/** The answer to store for a group that is over; for a booked itinerary, only its id. */
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

async function answerOfChoices(tx: Db, { id }: LockedGroup, members: readonly MemberState[]) {
  const choices = await selectChoices(tx, id)
  const member = members.find(({ status }) => status === 'confirmed' || status === 'completed')
  if (member) {
    const booking = await selectBooking(tx, member.bookingId)
    return { output: { booking, choice: member.position, choices } }
  }
  const final = members.find(({ isFinal }) => isFinal)?.refusal
  if (final) return { refusal: { ...final, facts: { ...final.facts, choices } } }
  const isCancelled = members.some(({ status }) => status === 'cancelled')
  const isByAgent = members.some(({ cancelledBy: by }) => by === 'agent' || by === 'guest')
  const code = isCancelled && isByAgent ? 'booking_cancelled' : 'no_alternative_free'
  const facts = { choices, alternatives: alternativesOf(members) }
  return { refusal: refusalData(code, undefined, facts) }
}

const isOpen: readonly string[] = ['waiting', 'opening', 'held', 'pending', 'offered', 'confirmed']

/** Why an itinerary was not booked: cancelled, a part failed, or the deadline passed. */
export function whyUndone(group: LockedGroup, members: readonly MemberState[]): RefusalData {
  if (group.cancel_by) return refusalData('booking_cancelled', 'The itinerary was cancelled.')
  const failed = members.find(({ status }) => !isOpen.includes(status))
  if (!failed) {
    return refusalData('itinerary_not_possible', 'Not every venue confirmed by `answer_by`.')
  }
  const { position: part, refusal, status, isFinal } = failed
  if (isFinal && refusal) return { ...refusal, facts: { ...refusal.facts, part } }
  const reason = refusal?.code ?? status
  const what = `Part ${part} could not be booked (${reason}).`
  const alternatives = alternativesOf([failed])
  return refusalData('itinerary_not_possible', what, { part, reason, alternatives })
}

type Alternative = { venue: { id: string }; slot_time: string }

/** The alternatives from all refusals: the first of each, then the second of each, and so on. */
function alternativesOf(members: readonly MemberState[]): Alternative[] {
  const lists = members.map(({ refusal }) => (refusal?.facts.alternatives ?? []) as Alternative[])
  const ranked = lists.flatMap((list) => list.map((one, rank) => ({ one, rank })))
  const inTurn = ranked.sort((a, b) => a.rank - b.rank)
  const unique = new Map(inTurn.map(({ one }) => [`${one.venue.id} ${one.slot_time}`, one]))
  return [...unique.values()].slice(0, ALTERNATIVES)
}
