import type { Db } from '../../platform/database/sql.ts'
import type { Candidate } from './bookable-slots.ts'
import { type PartyOffering, selectPartyOfferings } from './party-offerings.ts'
import { keyOf, lastCall, type Period, recentCandidates } from './recent-candidates.ts'

/** What venues offer to a party in a period, and the first slots of each that the rules allow; inventory has not been asked. */
export type FirstLook = {
  offers: ReadonlyMap<string, readonly PartyOffering[]>
  candidates: ReadonlyMap<string, readonly Candidate[]>
}

type Venues = readonly { id: string }[]
type Wanted = { period: Period; partySize: number | undefined; limit: number }
type Kept = FirstLook & { key: string; madeAt: number; at: number; until: number }

/** With the age of the offerings (`offers.ts`), five seconds at most. */
const KEPT_MS = 500
const kept = new WeakMap<Db, WeakMap<Venues, Kept>>()
const NONE: readonly PartyOffering[] = []

/** The same as half a second ago for the same list (not an equal one) of venues, while none of its slots has become too near. */
export async function firstLook(db: Db, venues: Venues, wanted: Wanted): Promise<FirstLook> {
  const { period, partySize, limit } = wanted
  const lists = kept.get(db) ?? new WeakMap<Venues, Kept>()
  kept.set(db, lists)
  const key = `${keyOf(period)} ${partySize} ${limit}`
  const at = period.at.getTime()
  const known = lists.get(venues)
  const isRecent = known?.key === key && performance.now() - known.madeAt < KEPT_MS
  if (isRecent && known.at <= at && at <= known.until) return known
  const ids = venues.map(({ id }) => id)
  const madeAt = performance.now()
  const offers = await selectPartyOfferings(db, ids, period, partySize)
  const candidates = new Map(
    ids.map((id) => [id, recentCandidates(offers.get(id) ?? NONE, period, limit)]),
  )
  const until = Math.min(...[...candidates.values()].flat().map(lastCall))
  const look = { key, madeAt, at, until, offers, candidates }
  lists.set(venues, look)
  return look
}
