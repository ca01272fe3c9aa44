import { expect, test } from 'vitest'
import type { Offering } from '../../src/availability/store/offerings.ts'
import type { PartyOffering } from '../../src/availability/store/party-offerings.ts'
import { recentCandidates } from '../../src/availability/store/recent-candidates.ts'
import { rulesWith } from '../support/rules.ts'

/** Saturday, 18:00 in Bali. */
const at = Date.parse('2026-11-21T10:00:00Z')
const DAY_MS = 86_400_000

/** An offering with one time a day, 20:00, that can be booked until an hour before. */
function onceADay(): readonly PartyOffering[] {
  const timezone = 'Asia/Makassar'
  const windows = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, open: '20:00', close: '21:30' }))
  const rules = rulesWith({ windows, grid_minutes: 90, lead_minutes: 60 })
  const offering = { id: 'class', position: 0, rules } as Offering
  return [{ offering, query: { rules, timezone, exceptions: [], partySize: 2 } }]
}

const weekFrom = (ms: number) => ({
  at: new Date(ms),
  from: new Date(ms),
  until: new Date(ms + 7 * DAY_MS),
})
const timesOf = (list: ReturnType<typeof recentCandidates>) => list.map(({ slot }) => slot.slotTime)

test('fewer slots than were looked for are the same list while they are the same slots', () => {
  const offers = onceADay()
  const first = recentCandidates(offers, weekFrom(at), 12)
  expect(first).toHaveLength(7)
  for (const later of [500, 1_500, 10_000]) {
    expect(recentCandidates(offers, weekFrom(at + later), 12)).toBe(first)
  }
})

test('a slot that has become too near leaves the list at once, and one that has come into reach is there a second later', () => {
  const offers = onceADay()
  const lastCall = Date.parse('2026-11-21T11:00:00Z')
  const first = recentCandidates(offers, weekFrom(lastCall), 12)
  const next = recentCandidates(offers, weekFrom(lastCall + 1), 12)
  expect(timesOf(next)).toEqual(timesOf(first).slice(1))
  const inReach = Date.parse('2026-11-21T12:00:00Z')
  recentCandidates(offers, weekFrom(inReach - 500), 12)
  const then = recentCandidates(offers, weekFrom(inReach + 501), 12)
  expect(timesOf(then)).toEqual([...timesOf(next), '2026-11-28T20:00:00'])
})
