import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hoursText, readHours } from '../../src/venues/import/hours.ts'

test.each([
  ['Mo-Su 10:00-22:00', 'Mo-Su 10:00-22:00'],
  ['24/7', 'Mo-Su 00:00-24:00'],
  ['10:00-22:00', 'Mo-Su 10:00-22:00'],
  ['Mo-Th 12:00-15:00; Fr,Sa 18:00-02:00', 'Mo-Th 12:00-15:00, Fr-Sa 18:00-26:00'],
  ['Fr,Sa 18:00-02:00, Su 10:00-12:00', 'Fr-Sa 18:00-26:00, Su 10:00-12:00'],
  ['Su 20:00-03:00', 'Su 20:00-27:00'],
  ['Mo-Su 18:00-26:00', 'Mo-Su 18:00-26:00'],
  ['Mo 22:00-24:00; Tu 00:00-24:00', 'Mo 22:00-24:00; Tu 00:00-24:00'],
  ['Mo 10:00-14:00,14:00-18:00', 'Mo 10:00-18:00'],
  ['Mo-Su 08:00-08:00', 'Mo-Su 00:00-24:00'],
  ['off', 'off'],
  ['Mo-Fr 10:00-18:00; PH off', 'Mo-Fr 10:00-18:00'],
  ['Mo-Fr 10:00-18:00, PH off', 'Mo-Fr 10:00-18:00'],
  ['Mo-Su,PH 10:00-18:00', 'Mo-Su 10:00-18:00'],
  ['PH,Mo-Su 10:00-18:00', 'Mo-Su 10:00-18:00'],
  ['Mo-Fr 10:00-18:00; SH,PH off; Sa 10:00-12:00', 'Mo-Fr 10:00-18:00; Sa 10:00-12:00'],
])('%s is read as %s', (text, read) => {
  const hours = readHours(text)
  expect('windows' in hours ? hoursText(hours.windows) : hours.problem).toBe(read)
})

test('a rule that removes the previous night’s hours is reported as unlikely', () => {
  expect(readHours('Fr,Sa 18:00-02:00; Su off')).toMatchObject({
    note: 'read as Fr 18:00-26:00, Sa 18:00-24:00',
  })
})

test.each([
  'PH off',
  'SH,PH off',
  'sunrise-20:00',
  'week 1-10 10:00-12:00',
  '2026 Dec 24 off',
  'x',
  '',
])('"%s" is not weekly hours', (text) => {
  expect(readHours(text)).toHaveProperty('problem')
})

const clock = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

const day = fc
  .uniqueArray(fc.integer({ min: 12, max: 107 }), { minLength: 0, maxLength: 6 })
  .map((quarters) => quarters.sort((a, b) => a - b).map((quarter) => quarter * 15))

test('any weekly hours are written so that they read back the same', () => {
  const week = fc.array(day, { minLength: 7, maxLength: 7 })
  fc.assert(
    fc.property(week, (days) => {
      const windows = days.flatMap((times, index) =>
        Array.from({ length: Math.floor(times.length / 2) }, (_, pair) => ({
          day: index + 1,
          open: clock(times[2 * pair] ?? 0),
          close: clock(times[2 * pair + 1] ?? 0),
        })).filter(({ open }) => open < '24:00'),
      )
      expect(readHours(hoursText(windows))).toEqual({ windows })
    }),
    { numRuns: 40 },
  )
})
