import { MINUTE_MS } from '../../base/durations.ts'
import { invalidRequest, refuse } from '../../base/errors.ts'
import { zonedMinute } from '../../base/local-time.ts'
import { withLocalTimes } from '../../contract/local-times.ts'
import type { GroupContext } from '../engine.ts'
import * as rules from '../rules/groups.ts'
import { type PersonTimes, selectPersonTimes } from '../steps/person-times.ts'
import type { NewGroupMember } from '../store/groups.ts'
import type { GroupDeadline } from './open-group.ts'

const MAX_MS = rules.MAX_ITINERARY_MINUTES * MINUTE_MS

/**
 * The deadline, and the end of the holds a little later, are before the first part begins. Throws
 * if people at the venues would not have the opening hours that they need to answer.
 */
export async function deadlineOf(
  ctx: GroupContext,
  text: string | undefined,
  members: readonly NewGroupMember[],
): Promise<GroupDeadline> {
  const now = ctx.at.getTime()
  const deadline = text ? Date.parse(text) : now + rules.ITINERARY_MINUTES * MINUTE_MS
  if (deadline > now + MAX_MS || deadline <= now) {
    const detail = `expected an instant in the next ${rules.MAX_ITINERARY_MINUTES} minutes`
    throw invalidRequest([{ pointer: '/answer_by', detail }])
  }
  const first = Math.min(...members.map(({ startsAt }) => startsAt.getTime()))
  if (first <= now) throw refuse('slot_in_past')
  const latest = Math.min(now + MAX_MS, first - rules.ITINERARY_GRACE_MS)
  if (latest <= now) {
    const earliest = new Date(now + rules.ITINERARY_GRACE_MS).toISOString()
    throw refuse('lead_time', 'The first part begins within a minute.', { earliest })
  }
  const terms = { ...ctx.dryRunDeps.terms, at: ctx.at, withinMs: deadline - now }
  const people = await selectPersonTimes(ctx.db, members, terms)
  const most = text ? Math.min(deadline, latest) : latest
  const absent = people.find(({ soonest }) => soonest.getTime() > most)
  if (absent) throw answersLater(absent, { latest, first })
  const usual = text ? [] : people.map(({ answerBy }) => answerBy.getTime())
  const answerBy = Math.min(Math.max(deadline, ...usual), latest)
  const holdUntil = new Date(answerBy + rules.ITINERARY_GRACE_MS)
  return { answerBy: new Date(answerBy), holdUntil }
}

/** States when the person can answer, and the remedy: a later deadline or a later request. */
function answersLater(
  { part, timezone, soonest, answerBy }: PersonTimes,
  { latest, first }: { latest: number; first: number },
) {
  const isInReach = soonest.getTime() <= latest
  const from = new Date(answerBy.getTime() - MAX_MS)
  const isLater = !isInReach && answerBy.getTime() < first - rules.ITINERARY_GRACE_MS
  const at = {
    answer_by: answerBy.toISOString(),
    possible_from: isLater ? from.toISOString() : null,
  }
  const facts = { part, ...withLocalTimes(at, timezone, ['answer_by', 'possible_from']) }
  const when = `Part ${part} is confirmed by a person, by ${zonedMinute(timezone, answerBy)}`
  if (isInReach) {
    const what = `${when}: \`answer_by\` is too soon. Send that time, or none.`
    return refuse('venue_answers_later', what, facts)
  }
  const most = `the other parts can be held for ${rules.MAX_ITINERARY_MINUTES} minutes at most`
  return refuse('venue_answers_later', `${when}; ${most}, and not past the first part.`, facts)
}
