import fc from 'fast-check'
import OpeningHours from 'opening_hours'
import { expect, test } from 'vitest'
import { hoursText, readHours } from '../../src/venues/import/hours.ts'

const HOLIDAYS = 'public and school holidays are ignored'
const DATES = 'single dates are ignored; `npm run venues -- close` closes them'

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

test.each([
  ['Fr,Sa 18:00-02:00; Su off', 'Fr-Sa 18:00-26:00'],
  ['Mo-Su 18:00-02:00; Mo off', 'Tu-Su 18:00-26:00'],
  [
    'Mo 02:00-04:00; Tu 22:00-02:00; We-Fr 05:00-08:00',
    'Mo 02:00-04:00, Tu 22:00-26:00, We-Fr 05:00-08:00',
  ],
  ['Mo-Sa 18:00-03:00; Su 10:00-14:00', 'Mo-Sa 18:00-27:00, Su 10:00-14:00'],
])('a night belongs to the day on which it begins: %s', (text, read) => {
  expect(readHours(text)).toMatchObject({ note: `read as ${read}` })
})

test.each([
  [
    'Mo-Fr 10:00-20:00 Sa 10:00-19:00 Su 11:00-17:00',
    'Mo-Fr 10:00-20:00; Sa 10:00-19:00; Su 11:00-17:00',
  ],
  ['Mo 10-20 Tu 12-20', 'Mo 10:00-20:00; Tu 12:00-20:00'],
  ['Mo-Su 10:00-22:00 Sa 10:00-16:00', 'Mo-Fr 10:00-22:00; Sa 10:00-16:00; Su 10:00-22:00'],
  ['Mon-Fri: 9am-5pm Sat: 9am-3pm Sun: Closed', 'Mo-Fr 09:00-17:00; Sa 09:00-15:00'],
  ['Closed on Mondays. Tue-Sun 10:00-22:00', 'Tu-Su 10:00-22:00'],
  ['8am-5pm Mon-Fri, 9am-1pm Sat', 'Mo-Fr 08:00-17:00; Sa 09:00-13:00'],
  ['Mo-Fr 10:00-20:00 closed Sa Su', 'Mo-Fr 10:00-20:00'],
  ['Mo-Fr 07:30-13:00; Mo-Fr 16:00-22:00', 'Mo-Fr 07:30-13:00,16:00-22:00'],
  [
    'Sa,Su 10:00-18:00; Mo-Fr 12:00-22:00; Sa 20:00-23:00',
    'Mo-Fr 12:00-22:00; Sa 20:00-23:00; Su 10:00-18:00',
  ],
  ['Mo-Su 10:00-22:00, Sa 10:00-16:00', 'Mo-Su 10:00-22:00'],
  ['Setiap hari 08.00-22.00', 'Mo-Su 08:00-22:00'],
  ['Senin - Minggu: 10.00 - 22.00 WIB', 'Mo-Su 10:00-22:00'],
  ['จันทร์-ศุกร์ 10.00-22.00 น.', 'Mo-Fr 10:00-22:00'],
  ['Thứ Hai - Thứ Sáu 10:00-22:00', 'Mo-Fr 10:00-22:00'],
  ['martes-viernes 10:00-20:00', 'Tu-Fr 10:00-20:00'],
  ['Buka 24 jam', 'Mo-Su 00:00-24:00'],
  ['5 PM to midnight', 'Mo-Su 17:00-24:00'],
  ['Mo-Fr 12pm-12am', 'Mo-Fr 12:00-24:00'],
  ['Mo-Fr 5-11pm', 'Mo-Fr 17:00-23:00'],
  ['11-2pm', 'Mo-Su 11:00-14:00'],
  ['Mo-Fr 8h00-17h30', 'Mo-Fr 08:00-17:30'],
  ['09:00-05:00', 'Mo-Su 09:00-29:00'],
  ['Mo-Fr 8:00-12:00', 'Mo-Fr 08:00-12:00'],
])('%s is read as people mean it, with a note that says how', (text, read) => {
  const hours = readHours(text)
  expect('windows' in hours && hoursText(hours.windows)).toBe(read)
  expect(hours).toMatchObject({ note: `read as ${read}` })
})

test.each([
  ['00:00-23:59', 'Mo-Su 00:00-24:00', undefined],
  ['Mo-Fr 0800-1700', 'Mo-Fr 08:00-17:00', undefined],
  ['Mo-Su 10:00-22:00; PH unknown', 'Mo-Su 10:00-22:00', HOLIDAYS],
  ['PH "call us"; Mo 10:00-12:00', 'Mo 10:00-12:00', HOLIDAYS],
  ['PH off; 10:00-22:00', 'Mo-Su 10:00-22:00', HOLIDAYS],
  ['24/7; Mo off', 'Tu-Su 00:00-24:00', undefined],
  ['24/7, PH off', 'Mo-Su 00:00-24:00', HOLIDAYS],
  ['Mo-Su 10-22 closed PH', 'Mo-Su 10:00-22:00', `${HOLIDAYS}; read as Mo-Su 10:00-22:00`],
  ['Mo-Su 08:00-22:00; Dec 25 off', 'Mo-Su 08:00-22:00', DATES],
  ['Dec 24-26,Jan 1 off; Mo-Su 08:00-22:00', 'Mo-Su 08:00-22:00', DATES],
  ['Mo-Su 08:00-22:00; 2026 Dec 24 08:00-15:00', 'Mo-Su 08:00-22:00', DATES],
  ['Mo-Fr 10:00-20:00 open "kitchen until 19:00"', 'Mo-Fr 10:00-20:00', undefined],
])('%s is %s, with the note %s', (text, read, note) => {
  const hours = readHours(text)
  expect('windows' in hours && hoursText(hours.windows)).toBe(read)
  expect('note' in hours ? hours.note : undefined).toBe(note)
})

test.each([
  ['PH off', 'says nothing about ordinary days'],
  ['SH,PH off', 'says nothing about ordinary days'],
  ['', 'says nothing about ordinary days'],
  ['2026 Dec 24 off', 'says nothing about ordinary days'],
  ['open', 'says nothing about ordinary days'],
  ['sunrise-20:00', 'follows the sun'],
  ['week 1-10 10:00-12:00', 'is not the same every week'],
  ['Nov-Mar off; Mo-Su 10:00-20:00', 'is not the same every week'],
  ['Nov 1-Mar 31 off; Mo-Su 10:00-20:00', 'is not the same every week'],
  ['2026-2027 Mo-Fr 10:00-20:00', 'is not the same every week'],
  ['9-5', 'a.m. or p.m.'],
  ['3-11', 'a.m. or p.m.'],
  ['10-10', 'a.m. or p.m.'],
  ['18:00-17:00', 'closes more than 17 hours after it opens'],
  ['8:30 - 5:30', 'a.m. or p.m.'],
  ['11:00-3:00', 'a.m. or p.m.'],
  ['Mo-Fr 5pm-11', 'a.m. or p.m.'],
  ['18:00-until late', 'has an open end'],
  ['18:00 - close', 'has an open end'],
  ['Mo-Fr 10:00-20:00 || "by appointment"', 'has an open end'],
  ['Mo-Su 10:00-22:00 (last order 21:00)', 'has a remark in brackets'],
  ['Mo-Su 10:00-22:00; Tu 14:00-16:00 off', 'closes for part of a day'],
  ['Mo-Su 10:00-20:00; off', 'ends with a rule that closes every day'],
  ['Mo 10:00-12:00; 14:00-16:00', 'has times without days'],
  ['closed Mo Tu-Su 10:00-22:00', 'names days between two rules'],
  ['Mo-Su', 'without an opening and a closing time'],
  ['Mo-Su 10:00', 'without an opening and a closing time'],
  ['Mo-Su 25:00-27:00', 'opening time after 24:00'],
  ['Mo-Su 10:60-12:00', 'has "10:60-12:00"'],
  ['Lunch 12:00-15:00', 'has "lunch"'],
  ['Do-Sa 10:00-22:00', 'has "do-sa"'],
  ['?', 'has "?"'],
  ['["Mo-Fr 10:00-20:00"]', 'is JSON'],
])('"%s" is refused: %s', (text, reason) => {
  expect(readHours(text)).toEqual({ problem: expect.stringContaining(reason) })
})

const range = fc.constantFrom('Mo-Su', 'Mo-Fr', 'Sa,Su', 'Fr-Mo', 'Mo,We-Fr', 'Su', 'PH')
const spans = fc
  .uniqueArray(fc.integer({ min: 0, max: 95 }), { minLength: 2, maxLength: 4 })
  .map((quarters) => quarters.slice(0, quarters.length & ~1).sort((one, other) => one - other))
  .map((all) =>
    Array.from(
      { length: all.length / 2 },
      (_, at) => `${clock((all[2 * at] ?? 0) * 15)}-${clock((all[2 * at + 1] ?? 0) * 15)}`,
    ).join(','),
  )
const rule = fc.tuple(range, fc.oneof(spans, fc.constant('off'))).map((parts) => parts.join(' '))

test('what is read without a note is what the reference reader of OpenStreetMap reads', () => {
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 4 }), (rules) => {
      const text = rules.join('; ')
      const hours = readHours(text)
      fc.pre('windows' in hours && !hours.note)
      const week = [8, 15].map((day) => new Date(2024, 0, day)) as [Date, Date]
      const open = new OpeningHours(text).getOpenIntervals(...week)
      const minutes = 'windows' in hours ? hours.windows.map(minutesOf) : []
      expect(minutes.reduce((sum, one) => sum + one, 0)).toBe(
        open.reduce((sum, [from, to]) => sum + (to.getTime() - from.getTime()) / 60_000, 0),
      )
    }),
    { numRuns: 200 },
  )
})

const minutesOf = ({ open, close }: { open: string; close: string }) => {
  const [from, until] = [open, close].map((text) => {
    const [hours = 0, minutes = 0] = text.split(':').map(Number)
    return hours * 60 + minutes
  })
  return (until ?? 0) - (from ?? 0)
}

function clock(minutes: number) {
  const parts = [Math.floor(minutes / 60), minutes % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

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
