import { MINUTE_MS } from '../../base/durations.ts'
import { noticeOf, type OfferedSlot, offeredSlots } from '../rules/slots.ts'
import type { PartyService } from './party-services.ts'

/** A slot that the rules allow, before its inventory is read. */
export type CandidateSlot = PartyService & { slot: OfferedSlot }

/** The period in which candidates must begin; `at` is the time of the search. */
export type CandidatePeriod = { at: Date; from: Date; until: Date }

/** A venue's slots at the first `limit` times of a period: those of all services, by position. */
export function candidatesOf(
  services: readonly PartyService[],
  period: CandidatePeriod,
  limit = Number.POSITIVE_INFINITY,
): CandidateSlot[] {
  const each = services.map((service) =>
    offeredSlots({ ...service.query, ...period })
      .take(limit)
      .map((slot) => ({ ...service, slot }))
      .toArray(),
  )
  const [only = [], ...others] = each
  if (others.length === 0) return only
  const startOf = ({ slot }: CandidateSlot) => slot.startsAt.getTime()
  const all = each
    .flat()
    .sort((a, b) => startOf(a) - startOf(b) || a.service.position - b.service.position)
  const times = new Set<number>()
  const end = all.findIndex((one) => times.add(startOf(one)).size > limit)
  return end < 0 ? all : all.slice(0, end)
}

/** How far ahead to look for slots that become bookable. */
const AHEAD_MS = 10 * MINUTE_MS

/**
 * The last instant (ms) at which these candidates are complete; after it, one of them is too close
 * to book, or another slot enters the period or the horizon.
 */
export function candidatesHoldUntil(
  services: readonly PartyService[],
  period: CandidatePeriod,
  candidates: readonly CandidateSlot[],
  limit = Number.POSITIVE_INFINITY,
): number {
  const lastCalls = candidates.map(({ service, slot }) => {
    const lead = Math.max(service.rules.lead_minutes * MINUTE_MS, 1)
    return slot.startsAt.getTime() - lead
  })
  const isFull = candidates.length === limit && services.length === 1
  const entries = isFull ? [] : services.map(({ query }) => nextEntry(query, period))
  return Math.min(...lastCalls, ...entries)
}

/** The last instant before another slot becomes bookable, at most `AHEAD_MS` from now. */
function nextEntry(query: PartyService['query'], { at, until }: CandidatePeriod): number {
  const end = Math.min(noticeOf(query.rules, at).latest, until.getTime())
  const ahead = (from: number, ms: number) => new Date(from + ms)
  const reach = {
    at: ahead(at.getTime(), AHEAD_MS),
    from: ahead(end, 1),
    until: ahead(end, AHEAD_MS),
  }
  const [next] = offeredSlots({ ...query, ...reach }).take(1)
  return at.getTime() + (next ? next.startsAt.getTime() - end - 1 : AHEAD_MS)
}
