import { wished } from '../../availability/rules/service-terms.ts'
import { isBookable, selectServicesOf } from '../../availability/store/venue-services.ts'
import { selectVenueRef } from '../../availability/store/venues.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { addDays, dateOf, toLocal } from '../../base/local-time.ts'
import { answerTimes } from '../../confirmation/rules/answer-deadline.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { NewGroupMember } from '../store/groups.ts'

/** When a person at a part's venue can answer a request that reaches the venue now. */
export type PersonTimes = {
  part: number
  timezone: string
  /** after a few minutes within opening hours */
  soonest: Date
  /** after the usual time within opening hours */
  answerBy: Date
}

/** The least time within opening hours that a person gets to answer, in minutes. */
const MIN_MINUTES = 5

/** `withinMs` is how long the agent gives the venues. */
type Terms = { requestAnswerMinutes: number; at: Date; withinMs: number }

/** The parts that a person confirms, with the times by which that person can answer. */
export async function selectPersonTimes(
  db: Db,
  members: readonly NewGroupMember[],
  terms: Terms,
): Promise<PersonTimes[]> {
  const times: PersonTimes[] = []
  for (const [index, member] of members.entries()) {
    const personTimes = await selectTimes(db, member, terms)
    if (personTimes) times.push({ part: index + 1, ...personTimes })
  }
  return times
}

async function selectTimes(
  db: Db,
  { venueId, slotTime, startsAt, partySize, wish = {} }: NewGroupMember,
  { requestAnswerMinutes: minutes, at, withinMs }: Terms,
) {
  const { timezone } = await selectVenueRef(db, venueId)
  const from = addDays(dateOf(toLocal(timezone, at)), -1)
  const services = await selectServicesOf(db, venueId, { from, to: dateOf(slotTime) })
  const able = wished(services, wish).filter(isBookable)
  const takes = able.filter(({ rules }) => partySize <= rules.party_max)
  const service = takes.find(({ confirm_mode }) => confirm_mode === 'request')
  if (!service) return undefined
  const least = Math.min(MIN_MINUTES, minutes, withinMs / MINUTE_MS)
  const by = (most: number) => answerTimes(service, { at, startsAt, minutes: most }).answerBy
  return { timezone, soonest: by(least), answerBy: by(minutes) }
}
