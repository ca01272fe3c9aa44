import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDays,
  clockOn,
  parseSlotTime,
  toInstant,
  toInstantPastGap,
  toLocal,
  utcOffset,
  weekdayOf,
} from '../../src/base/local-time.ts'

test('a local date-time is read with and without seconds', () => {
  expect(parseSlotTime('2026-12-24T19:00:00')).toEqual({ local: '2026-12-24T19:00:00' })
  expect(parseSlotTime('2026-12-24T19:00')).toEqual({ local: '2026-12-24T19:00:00' })
})

test.each([
  '2026-12-24T19:00:00Z',
  '2026-12-24T19:00Z',
  '2026-12-24T19:00:00z',
  '2026-12-24T19:00:00.000Z',
  '2026-12-24T19:00:00+08:00',
  '2026-12-24T19:00:00-0800',
  '2026-12-24T19:00+08',
  '2026-12-24T19:00:00+08:00[Asia/Makassar]',
])('%s carries an offset', (text) => {
  expect(parseSlotTime(text)).toEqual({ problem: 'offset' })
})

test.each([
  '',
  'tomorrow at seven',
  '2026-12-24',
  '2026-12-24 19:00:00',
  '2026-12-24T7:00',
  '2026-02-30T19:00:00',
  '2027-02-29T19:00:00',
  '2026-13-01T19:00:00',
  '2026-12-24T24:00:00',
  '2026-12-24T19:60:00',
  '2026-12-24T19:00:60',
  '2026-12-24T19:00:00.5',
  '12026-12-24T19:00:00',
  '2026-12-24T19:00:00\n',
])('%j is not a local date-time', (text) => {
  expect(parseSlotTime(text)).toEqual({ problem: 'malformed' })
})

test('local times become instants in the venue’s zone, including half-hour zones', () => {
  const local = '2026-12-24T19:00:00'
  expect(toInstant('Asia/Makassar', local)?.toISOString()).toBe('2026-12-24T11:00:00.000Z')
  expect(toInstant('Asia/Jakarta', local)?.toISOString()).toBe('2026-12-24T12:00:00.000Z')
  expect(toInstant('Asia/Yangon', local)?.toISOString()).toBe('2026-12-24T12:30:00.000Z')
  expect(utcOffset('Asia/Yangon', new Date())).toBe('+06:30')
  expect(utcOffset('America/St_Johns', new Date('2027-01-15T12:00:00Z'))).toBe('-03:30')
})

test('a time skipped by a clock change is invalid, or moves past the gap if wanted', () => {
  expect(toInstant('Europe/Berlin', '2027-03-28T02:30:00')).toBeNull()
  const past = toInstantPastGap('Europe/Berlin', '2027-03-28T02:30:00')
  expect(toLocal('Europe/Berlin', past)).toBe('2027-03-28T03:30:00')
  expect(toInstant('Europe/Berlin', '2027-03-28T03:00:00')?.toISOString()).toBe(
    '2027-03-28T01:00:00.000Z',
  )
})

test('a repeated time is the earlier one', () => {
  expect(toInstant('Europe/Berlin', '2026-10-25T02:30:00')?.toISOString()).toBe(
    '2026-10-25T00:30:00.000Z',
  )
  expect(toInstant('Australia/Lord_Howe', '2027-04-04T01:45:00')?.toISOString()).toBe(
    '2027-04-03T14:45:00.000Z',
  )
})

const zones = [
  'Asia/Makassar',
  'Asia/Yangon',
  'Asia/Ho_Chi_Minh',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]
const zone = fc.constantFrom(...zones)
const instant = fc
  .integer({ min: Date.UTC(2000, 0, 1) / 1000, max: Date.UTC(2045, 0, 1) / 1000 })
  .map((seconds) => new Date(seconds * 1000))

/** The local time according to the platform, independent of the library under test. */
function localByIntl(timezone: string, at: Date): string {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at)
  return text.replace(' ', 'T')
}

test('property: local times agree with the platform’s time zone data', () => {
  fc.assert(
    fc.property(zone, instant, (timezone, at) => {
      expect(toLocal(timezone, at)).toBe(localByIntl(timezone, at))
    }),
    { numRuns: 300 },
  )
})

test('property: an instant’s local time leads back to it, or an hour earlier if repeated', () => {
  fc.assert(
    fc.property(zone, instant, (timezone, at) => {
      const back = toInstant(timezone, toLocal(timezone, at))
      expect(back).not.toBeNull()
      const earlier = at.getTime() - (back?.getTime() ?? 0)
      expect([0, 1_800_000, 3_600_000, 10_800_000, 86_400_000]).toContain(earlier)
      expect(toLocal(timezone, back ?? at)).toBe(toLocal(timezone, at))
    }),
    { numRuns: 300 },
  )
})

test('dates roll over months, and a clock past 24:00 is on the next date', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  expect(weekdayOf('2026-11-21')).toBe(6)
  expect(weekdayOf('2026-11-22')).toBe(7)
  expect(clockOn('2026-12-31', '26:30')).toBe('2027-01-01T02:30:00')
})
