import { expect, test } from 'vitest'
import { grown, mayTakeAgainAt } from '../../src/bookings/rules/limits.ts'

const noon = Date.parse('2026-11-23T12:00:00Z')
/** Times an hour apart, the newest at noon. */
const returns = (count: number) =>
  Array.from({ length: count }, (_, n) => new Date(noon - n * 3_600_000))
const minutesAfterNoon = (at: Date | null) => at && (at.getTime() - noon) / 60_000

test('giving a slot back is free at first, then costs longer and longer waits, then a day', () => {
  const waits = Array.from({ length: 13 }, (_, n) =>
    minutesAfterNoon(mayTakeAgainAt(returns(n), 6)),
  )
  const day = 24 * 60
  expect(waits).toEqual([null, null, null, 1, 2, 4, 8, 16, 32, 60, 60, 60, day - 11 * 60])
})

test('limits grow with completed bookings; no limit remains no limit', () => {
  const base = { live: 100, perVenueDay: 6 }
  expect(grown(base, 9)).toEqual({ live: 109, perVenueDay: 6 })
  expect(grown(base, 250)).toEqual({ live: 350, perVenueDay: 31 })
  const none = { live: null, perVenueDay: null }
  expect(grown(none, 250)).toEqual(none)
})
