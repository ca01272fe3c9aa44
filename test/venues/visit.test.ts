import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Category } from '../../src/base/venue-kinds.ts'
import { resolveTime } from '../../src/venues/search/requested-time.ts'
import { readVisit } from '../../src/venues/search/visit.ts'

/** Saturday, 18:00 in Bali. */
const at = new Date('2026-11-21T10:00:00Z')
const sunday = new Date('2026-11-29T11:40:00Z')
const timezone = 'Asia/Makassar'

/** A sentence's party, date and time in one line, for someone in Bali. */
function wish(text: string, category: Category | null = null, now = at): string {
  const visit = readVisit(text)
  const { date, time } = resolveTime(visit, { category, timezone, at: now })
  return [visit.partySize, date, time].map((part) => part ?? '-').join(' ')
}

test.each([
  ['a table for 4 tomorrow at 7', '4 2026-11-22 19:00'],
  ['table for two', '2 - -'],
  ['party of 6 on friday at 8', '6 2026-11-27 20:00'],
  ['dinner tonight', '- 2026-11-21 18:00'],
  ['dinner tonight at 8', '- 2026-11-21 20:00'],
  ['lunch tomorrow', '- 2026-11-22 12:00'],
  ['breakfast tomorrow at 8', '- 2026-11-22 08:00'],
  ['dinner', '- - -'],
  ['4 people 24 dec 7pm', '4 2026-12-24 19:00'],
  ['dinner 4-12 for 2', '2 2026-12-04 18:00'],
  ['dinner 24-12', '- 2026-12-24 18:00'],
  ['dinner tomorrow 5-12', '- 2026-11-22 17:00'],
  ['brunch 10-12', '- - -'],
  ['drinks after midnight on friday', '- 2026-11-28 00:00'],
  ['bar open after midnight', '- - -'],
  ['december 24th at 19:30 for 3', '3 2026-12-24 19:30'],
  ['on 2027-01-02', '- 2027-01-02 -'],
  ['on 5/1 at 7pm', '- 2027-01-05 19:00'],
  ['christmas eve for 12', '12 2026-12-24 -'],
  ['dinner on sunday december 6', '- 2026-12-06 18:00'],
  ['massage 1 hour 30 december for 2', '2 2026-12-30 -'],
  ['pijat 1 jam 2 orang', '2 - -'],
  ['cafe in christmas island', '- - -'],
  ['at 7', '- 2026-11-21 19:00'],
  ['at 5pm', '- 2026-11-22 17:00'],
  ['at noon tomorrow', '- 2026-11-22 12:00'],
  ['tonight at midnight', '- 2026-11-22 00:00'],
  ['half past seven', '- 2026-11-21 19:30'],
  ['next friday', '- 2026-11-27 -'],
  ['next saturday', '- 2026-11-28 -'],
  ['this weekend', '- 2026-11-21 -'],
  ['day after tomorrow 7.30pm', '- 2026-11-23 19:30'],
  ['in 3 days', '- 2026-11-24 -'],
  ['for 2 hours', '- - -'],
  ['with my wife', '2 - -'],
  ['a couple', '2 - -'],
  ['couples massage', '2 - -'],
  ['find me a bar', '- - -'],
  ['just me', '1 - -'],
  ['for 0 people', '- - -'],
  ['31 feb', '- - -'],
  ['besok jam 7 malam untuk 4 orang', '4 2026-11-22 19:00'],
  ['malam ini berdua', '2 2026-11-21 18:00'],
  ['lusa pukul 19.30', '- 2026-11-23 19:30'],
  ['hari ini jam setengah 8 malam', '- 2026-11-21 19:30'],
  ['jumat malam untuk lima orang', '5 2026-11-27 18:00'],
  ['hari minggu jam 10 pagi', '- 2026-11-22 10:00'],
  ['malam minggu', '- 2026-11-21 18:00'],
  ['minggu depan', '- 2026-11-23 -'],
  ['7 malam', '- 2026-11-21 19:00'],
  ['district 1', '- - -'],
  ['dinner for 2 adults and 2 kids', '4 - -'],
  ['2 adults, 1 child', '3 - -'],
  ['4 adults', '4 - -'],
  ['dua dewasa dua anak', '4 - -'],
  ['2 orang dewasa dan 3 anak-anak', '5 - -'],
  ['for 2 and 2 kids tomorrow at 7', '4 2026-11-22 19:00'],
  ['4 people with 2 kids', '4 - -'],
  ['massage for -3 people', '- - -'],
  ['a-3-person table wed-3pm', '3 2026-11-25 15:00'],
  ['for 60 to 90 min walk', '- - -'],
  ['table for 4 - 2 hours', '4 - -'],
])('%j means %s', (text, expected) => {
  expect(wish(text)).toBe(expected)
})

test.each([
  ['90 minute massage for two on sunday after lunch', '2 2026-12-06 13:30'],
  ['brunch on sunday', '- 2026-12-06 10:00'],
  ['breakfast on sunday', '- 2026-12-06 07:00'],
  ['high tea on sunday', '- 2026-12-06 14:00'],
  ['sunset drinks on sunday', '- 2026-12-06 17:00'],
  ['makan siang hari minggu', '- 2026-12-06 12:00'],
  ['pijat hari minggu sore', '- 2026-12-06 14:00'],
  ['minggu pagi', '- 2026-12-06 07:00'],
  ['sunday at 3pm', '- 2026-12-06 15:00'],
  ['a drink before dinner this weekend', '- 2026-12-05 16:00'],
  ['lunch today', '- 2026-11-30 12:00'],
  ['this morning', '- 2026-11-30 07:00'],
  ['pijat sore ini', '- 2026-11-30 14:00'],
  ['dinner on sunday', '- 2026-11-29 19:40'],
  ['tonight', '- 2026-11-29 19:40'],
  ['malam ini', '- 2026-11-29 19:40'],
  ['now', '- 2026-11-29 19:40'],
  ['pijat untuk dua orang di Ubud minggu depan sore', '2 2026-11-30 14:00'],
  ['makan malam minggu depan', '- 2026-11-30 18:00'],
])('%j said on a Sunday at 19:40 means %s', (text, expected) => {
  expect(wish(text, null, sunday)).toBe(expected)
})

test.each([
  ['dinner yesterday', '2026-11-28', '18:00'],
  ['makan malam kemarin', '2026-11-28', '18:00'],
  ['last night', '2026-11-28', '18:00'],
  ['last friday', '2026-11-27', null],
  ['lunch on 2026-11-29', '2026-11-29', '12:00'],
])('%j is over, and no other time is meant', (text, date, time) => {
  const meant = resolveTime(readVisit(text), { category: null, timezone, at: sunday })
  const assumed = `${time ? `${time} on ` : ''}${date} is over: no other time is shown.`
  expect(meant).toEqual({ date, time, from: null, isOver: true, assumed })
})

test.each<[string, Category, string]>([
  ['tomorrow at 7', 'restaurant', '19:00'],
  ['tomorrow at 10', 'restaurant', '10:00'],
  ['tomorrow at 11', 'bar', '23:00'],
  ['tomorrow at 7', 'gym', '07:00'],
  ['tomorrow at 4', 'gym', '16:00'],
  ['tomorrow evening at 7', 'gym', '19:00'],
  ['tomorrow at 7pm', 'gym', '19:00'],
  ['tomorrow at 10', 'spa', '10:00'],
  ['tomorrow at 7', 'spa', '19:00'],
])('%j at a %s is %s', (text, category, time) => {
  expect(wish(text, category)).toContain(time)
})

test('assumptions are reported, and plain statements are not', () => {
  const assumed = (text: string) => {
    const visit = readVisit(text)
    return resolveTime(visit, { category: 'restaurant', timezone, at }).assumed
  }
  expect(assumed('at 7')).toContain('19:00')
  expect(assumed('tonight')).toContain('18:00')
  expect(assumed('tomorrow at 7pm')).toBeNull()
  expect(assumed('at 7pm')).toBe('No day was said: 2026-11-21 is assumed.')
  expect(assumed('2020-01-01')).toContain('2020-01-01')
})

test('a day is in the venue’s time zone', () => {
  const night = new Date('2026-11-21T16:30:00Z')
  const dateIn = (zone: string) =>
    resolveTime(readVisit('tomorrow'), { category: null, timezone: zone, at: night }).date
  expect(dateIn('Asia/Bangkok')).toBe('2026-11-22')
  expect(dateIn('Asia/Makassar')).toBe('2026-11-23')
})

test.each([
  ['90 minute massage', 90],
  ['a 90-minute hot stone massage', 90],
  ['pijat 90 menit besok', 90],
  ['2 hour table for 4 at 7', 120],
  ['an hour and a half of yoga', 90],
  ['1.5 hours in the sauna', 90],
  ['facial, 1h30', 90],
  ['half an hour of reflexology', 30],
  ['pijat 2 jam besok jam 2', 120],
  ['pijat sejam setengah', 90],
  ['jam 2 siang', null],
  ['spa 10 minutes walk from the beach', null],
  ['massage in 2 hours', null],
  ['24 hour gym', null],
  ['open 24 hours', null],
  ['massage 1 hour 30 december for 2', 60],
  ['massage 1 hour 2 people', 60],
  ['pijat satu setengah jam', 90],
  ['three quarters of an hour of yoga', 45],
  ['massage of 60-70 minutes', 60, 65, 70],
  ['between 60 and 72 minutes', 60, 65, 70, 72],
  ['for 60 to 70 min', 60, 65, 70],
  ['massage for 60 or 90 minutes', 60, 90],
  ['90 or 120 minutes', 90, 120],
  ['pijat satu atau 2 jam', 60, 120],
  ['an hour or 90 minutes', 60, 90],
  ['-60 minute massage', null],
  ['1 hour and 30 minutes', 90],
  ['1/2 hour massage', null],
  ['an hour massage, not 90 minutes', 60],
  ['massage, not for 90 minutes', null],
  ['a massage tonight ah', null],
  ['amin, pijat', null],
] as [string, ...(number | null)[]][])('%s takes %s minutes', (text, ...minutes) => {
  const visit = readVisit(text)
  expect(visit.partySize ?? 0).toBeLessThan(5)
  expect(visit.minutes).toEqual(minutes.filter((one) => one !== null))
})

test.each([
  ['massage after lunch tomorrow', '- 2026-11-22 13:30', 'massage'],
  ['a drink before dinner tomorrow at 5', '- 2026-11-22 17:00', 'a drink'],
  ['pijat setelah makan siang besok', '- 2026-11-22 13:30', 'pijat'],
  ['spa straight after breakfast tomorrow at 10', '- 2026-11-22 10:00', 'spa'],
  ['cocktails after dinner tonight', '- 2026-11-21 20:30', 'cocktails'],
])('%s is about a time, not about a meal', (text, visit, rest) => {
  expect(wish(text)).toBe(visit)
  expect(readVisit(text).rest.trim()).toBe(rest)
})

test('property: any text gives a valid visit', () => {
  const vocabulary =
    'for 4 at 7 30 99 tomorrow friday next besok jam malam pm noon 24 dec 31/12 : . party of'
  const words = fc.constantFrom(...vocabulary.split(' '))
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.array(words, { maxLength: 10 }).map((list) => list.join(' ')),
  )
  fc.assert(
    fc.property(text, (query) => {
      const visit = readVisit(query)
      const { date, time, from } = resolveTime(visit, { category: null, timezone, at })
      expect(visit.partySize ?? 1).toBeGreaterThan(0)
      if (date !== null) expect(date >= '2026-11-21').toBe(true)
      if (time !== null) expect(time).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/)
      if (from) expect(from.getTime()).toBeGreaterThanOrEqual(at.getTime())
    }),
  )
})
