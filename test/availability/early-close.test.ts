import { expect, test } from 'vitest'
import { hoursOn } from '../../src/availability/rules/sessions.ts'
import { toInstantPastGap } from '../../src/base/local-time.ts'
import { guestsByHour } from '../../src/web/venue/day-view.ts'

const date = '2026-12-05'
const usual = () => [
  { open: '11:00', close: '15:00' },
  { open: '18:00', close: '26:00' },
]
const early = (until: string) => ({ date, windows: [], reason: 'full', until })

test.each([
  ['17:00', [{ open: '11:00', close: '15:00' }]],
  ['13:30', [{ open: '11:00', close: '13:30' }]],
  ['24:30', [usual()[0], { open: '18:00', close: '24:30' }]],
  ['00:00', []],
])('closing at %s leaves the hours before it', (until, hours) => {
  expect(hoursOn([early(until)], date, usual)).toEqual(hours)
  expect(hoursOn([early(until)], '2026-12-06', usual)).toEqual(usual())
})

test('closing early shortens the hours that the operator has set for the day', () => {
  const special = { date, windows: [{ open: '10:00', close: '20:00' }], reason: 'Feast' }
  const hours = hoursOn([early('17:00'), special], date, usual)
  expect(hours).toEqual([{ open: '10:00', close: '17:00' }])
})

test('guests count in each hour in which they are in the house, past midnight too', () => {
  const timezone = 'Asia/Makassar'
  const at = (local: string) => toInstantPastGap(timezone, local)
  const visits = [
    { starts_at: at(`${date}T19:30:00`), ends_at: at(`${date}T21:00:00`), party_size: 2 },
    { starts_at: at(`${date}T23:00:00`), ends_at: at('2026-12-06T00:30:00'), party_size: 3 },
  ]
  expect(guestsByHour(timezone, date, visits)).toEqual([
    { hour: 19, guests: 2 },
    { hour: 20, guests: 2 },
    { hour: 23, guests: 3 },
    { hour: 0, guests: 3 },
  ])
})
