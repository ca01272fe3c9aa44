import { expect, test } from 'vitest'
import { candidatesHoldUntil, candidatesOf } from '../../src/availability/store/candidate-slots.ts'
import type { PartyService } from '../../src/availability/store/party-services.ts'
import type { VenueService } from '../../src/availability/store/venue-services.ts'
import { DAY_MS, MINUTE_MS } from '../../src/base/durations.ts'
import { rulesWith } from '../support/rules.ts'

/** Saturday, 18:00 in Bali. */
const at = Date.parse('2026-11-21T10:00:00Z')

/** A service at 20:00 only, bookable until an hour before. */
function onceADay(): readonly PartyService[] {
  const timezone = 'Asia/Makassar'
  const windows = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, open: '20:00', close: '21:30' }))
  const rules = rulesWith({ windows, grid_minutes: 90, lead_minutes: 60 })
  const service = { id: 'class', position: 0, rules } as VenueService
  return [{ service, query: { rules, timezone, exceptions: [], partySize: 2 } }]
}

const weekFrom = (ms: number) => ({
  at: new Date(ms),
  from: new Date(ms),
  until: new Date(ms + 7 * DAY_MS),
})
const timesAt = (ms: number) =>
  candidatesOf(onceADay(), weekFrom(ms), 12).map(({ slot }) => slot.slotTime)

const holdUntil = (ms: number) =>
  candidatesHoldUntil(onceADay(), weekFrom(ms), candidatesOf(onceADay(), weekFrom(ms), 12), 12)

test('candidates are cached until the first booking cut-off among them', () => {
  expect(timesAt(at)).toHaveLength(7)
  const lastCall = Date.parse('2026-11-21T11:00:00Z')
  expect(holdUntil(lastCall - MINUTE_MS)).toBe(lastCall)
  for (const later of [500, 1_500, 10_000]) expect(timesAt(at + later)).toEqual(timesAt(at))
  expect(timesAt(lastCall + 1)).toEqual(timesAt(lastCall).slice(1))
})

test('candidates are cached until another slot comes within reach, a week ahead', () => {
  const weekAhead = Date.parse('2026-11-21T12:00:00Z')
  expect(holdUntil(weekAhead - MINUTE_MS)).toBe(weekAhead - 1)
  expect(timesAt(weekAhead)).toEqual([...timesAt(weekAhead - 1), '2026-11-28T20:00:00'])
})
