import { type Candidate, candidatesOf } from './bookable-slots.ts'
import type { PartyOffering } from './party-offerings.ts'

export type Period = Parameters<typeof candidatesOf>[1]
type Kept = { at: number; until: number; candidates: readonly Candidate[] }

/** A slot that comes into reach at the far end may be shown so much late; one that has become too near never is. */
const KEPT_MS = 1_000
const MINUTE_MS = 60_000
const kept = new WeakMap<readonly PartyOffering[], Map<string, Kept>>()

/**
 * `candidatesOf` for offers that many ask for, worked out anew when the first of the slots has become too near; once a second if
 * there are fewer than `limit`. The same list as before while the slots are the same: what was worked out from it can be found again.
 * Shared: never sort such a list.
 */
export function recentCandidates(
  offers: readonly PartyOffering[],
  period: Period,
  limit: number,
): readonly Candidate[] {
  const at = period.at.getTime()
  const key = `${keyOf(period)} ${limit}`
  const lists = kept.get(offers) ?? new Map<string, Kept>()
  kept.set(offers, lists)
  const known = lists.get(key)
  if (known && known.at <= at && at <= known.until) return known.candidates
  const found = candidatesOf(offers, period, limit)
  const candidates = known && isSame(known.candidates, found) ? known.candidates : found
  const isFull = candidates.length === limit
  const most = isFull ? Number.POSITIVE_INFINITY : at + KEPT_MS
  lists.set(key, { at, until: Math.min(most, ...candidates.map(lastCall)), candidates })
  return candidates
}

/** Equal for periods of one length that begin now, whenever that is, or at the same instant. */
export function keyOf({ at, from, until }: Period): string {
  const length = until.getTime() - from.getTime()
  return `${from > at ? from.getTime() : 'now'} ${length}`
}

const isSame = (one: readonly Candidate[], other: readonly Candidate[]): boolean =>
  one.length === other.length &&
  one.every(({ offering, slot }, index) => {
    const beside = other[index]
    return offering === beside?.offering && slot === beside.slot
  })

/** The last instant, in milliseconds, at which the rules allow this slot to be booked. */
export const lastCall = ({ offering, slot }: Candidate): number =>
  slot.startsAt.getTime() - Math.max(offering.rules.lead_minutes * MINUTE_MS, 1)
