import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluateSlot, type SlotRequest } from '../../src/availability/rules/evaluate-slot.ts'
import type { DayException, Rules } from '../../src/availability/rules/rules.ts'
import { offeredSlots, slotsOn } from '../../src/availability/rules/slots.ts'
import { DAY_MS, MINUTE_MS } from '../../src/base/durations.ts'
import { addMinutes, toLocal } from '../../src/base/local-time.ts'
import { rulesWith } from '../support/rules.ts'

const timezone = 'Asia/Makassar'
/** Saturday, 18:00 in Bali. */
const at = new Date('2026-11-21T10:00:00Z')

const request = (changes: Partial<SlotRequest> = {}): SlotRequest => ({
  rules: rulesWith(),
  exceptions: [],
  timezone,
  partySize: 2,
  slotTime: '2026-11-22T19:00:00',
  at,
  ...changes,
})

/** The refusal code, or the slot's time. */
function verdict(changes: Partial<SlotRequest>): string {
  const judged = evaluateSlot(request(changes))
  return 'slot' in judged ? judged.slot.slotTime : judged.refusal.code
}

const times = (changes: Partial<SlotRequest>, date: string) =>
  slotsOn({ ...request(changes), date }).map(({ slotTime }) => slotTime.slice(5, 16))

test('slots are on the grid and end by closing', () => {
  const rules = rulesWith({ windows: [{ day: 7, open: '17:30', close: '20:00' }] })
  expect(times({ rules }, '2026-11-22')).toEqual(['11-22T17:30', '11-22T18:00', '11-22T18:30'])
  expect(times({ rules }, '2026-11-23')).toEqual([])
})

test('a slot has its end, the end of its table’s use and its cancellation cut-off', () => {
  const judged = evaluateSlot(request())
  expect(judged).toEqual({
    slot: {
      slotTime: '2026-11-22T19:00:00',
      startsAt: new Date('2026-11-22T11:00:00Z'),
      endsAt: new Date('2026-11-22T12:30:00Z'),
      occupiedUntil: new Date('2026-11-22T12:45:00Z'),
      cancelUntil: new Date('2026-11-22T09:00:00Z'),
    },
  })
})

test('half past midnight on Saturday belongs to Friday’s session', () => {
  const rules = rulesWith({
    windows: [{ day: 5, open: '18:00', close: '26:00' }],
    durations: [{ party_max: 8, minutes: 60 }],
  })
  const friday = times({ rules }, '2026-11-27')
  expect(friday.at(-1)).toBe('11-28T01:00')
  expect(friday).toContain('11-28T00:30')
  expect(times({ rules }, '2026-11-28')).toEqual([])
  expect(verdict({ rules, slotTime: '2026-11-28T00:30:00' })).toBe('2026-11-28T00:30:00')
  expect(verdict({ rules, slotTime: '2026-11-27T00:30:00' })).toBe('venue_closed')
})

test('a stay goes on past midnight where the next day opens then', () => {
  const everyDay = [5, 6].map((day) => ({ day, open: '00:00', close: '24:00' }))
  const rules = rulesWith({ windows: everyDay, durations: [{ party_max: 8, minutes: 60 }] })
  expect(times({ rules }, '2026-11-27').at(-1)).toBe('11-27T23:30')
  expect(times({ rules }, '2026-11-28').at(-1)).toBe('11-28T23:00')
  expect(verdict({ rules, slotTime: '2026-11-27T23:30:00' })).toBe('2026-11-27T23:30:00')
  expect(verdict({ rules, slotTime: '2026-11-28T23:30:00' })).toBe('venue_closed')
  const exceptions = [{ date: '2026-11-28', windows: [], reason: 'Holiday' }]
  expect(verdict({ rules, exceptions, slotTime: '2026-11-27T23:30:00' })).toBe('venue_closed')
})

test('a day off closes the session that begins on it, even after midnight', () => {
  const rules = rulesWith({ windows: [{ day: 5, open: '18:00', close: '26:00' }] })
  const exceptions = [{ date: '2026-11-27', windows: [], reason: 'Private party' }]
  expect(verdict({ rules, exceptions, slotTime: '2026-11-27T20:00:00' })).toBe('venue_closed')
  expect(verdict({ rules, exceptions, slotTime: '2026-11-28T00:00:00' })).toBe('venue_closed')
})

test('an exception sets other hours, and the first one for a date wins', () => {
  const exceptions: DayException[] = [
    { date: '2026-11-22', windows: [{ open: '08:00', close: '12:00' }], reason: 'Brunch only' },
    { date: '2026-11-22', windows: [], reason: 'Holiday' },
  ]
  expect(verdict({ exceptions, slotTime: '2026-11-22T08:30:00' })).toBe('2026-11-22T08:30:00')
  expect(verdict({ exceptions })).toBe('venue_closed')
})

test('no slot is in a daylight-saving gap, and a repeated time is offered once', () => {
  const rules = rulesWith({
    windows: [{ day: 6, open: '22:00', close: '29:00' }],
    durations: [{ party_max: 8, minutes: 60 }],
    grid_minutes: 60,
    horizon_days: 365,
  })
  const berlin = { rules, timezone: 'Europe/Berlin' }
  expect(times(berlin, '2027-03-27')).toEqual([
    '03-27T22:00',
    '03-27T23:00',
    '03-28T00:00',
    '03-28T01:00',
    '03-28T03:00',
    '03-28T04:00',
  ])
  expect(verdict({ ...berlin, slotTime: '2027-03-28T02:00:00' })).toBe('slot_off_grid')
  const autumn = times(berlin, '2027-10-30')
  expect(autumn).toEqual([...new Set(autumn)])
  expect(autumn).toContain('10-31T02:00')
})

test.each([
  ['one second ago', '2026-11-21T17:59:59', 'slot_in_past'],
  ['now', '2026-11-21T18:00:00', 'slot_in_past'],
  ['before the lead time', '2026-11-21T18:30:00', 'lead_time'],
  ['exactly at the lead time', '2026-11-21T19:00:00', '2026-11-21T19:00:00'],
  ['exactly at the horizon', '2026-12-21T18:00:00', '2026-12-21T18:00:00'],
  ['beyond the horizon', '2026-12-21T18:30:00', 'beyond_horizon'],
  ['before opening', '2026-11-22T09:30:00', 'venue_closed'],
  ['at closing', '2026-11-22T22:00:00', 'venue_closed'],
  ['so late that it would end after closing', '2026-11-22T21:00:00', 'venue_closed'],
  ['off the grid', '2026-11-22T19:10:00', 'slot_off_grid'],
  ['off the grid by a second', '2026-11-22T19:00:01', 'slot_off_grid'],
])('a slot %s', (_, slotTime, expected) => {
  expect(verdict({ slotTime })).toBe(expected)
})

test.each([
  [0, 'party_too_small'],
  [-1, 'party_too_small'],
  [1, '2026-11-22T19:00:00'],
  [8, '2026-11-22T19:00:00'],
  [9, 'party_too_large'],
  [1e9, 'party_too_large'],
])('a party of %d', (partySize, expected) => {
  expect(verdict({ partySize })).toBe(expected)
})

test('refusals state the valid limits in venue time', () => {
  const refusal = (changes: Partial<SlotRequest>) => {
    const judged = evaluateSlot(request(changes))
    return 'refusal' in judged ? judged.refusal : undefined
  }
  const early = refusal({ slotTime: '2026-11-21T18:30:00' })
  expect(early?.facts).toEqual({ earliest: '2026-11-21T19:00:00' })
  expect(early?.message).toContain(timezone)
  const late = refusal({ slotTime: '2027-11-21T18:30:00' })
  expect(late?.facts).toEqual({ latest: '2026-12-21T18:00:00' })
  expect(refusal({ partySize: 9 })?.facts).toEqual({ party_min: 1, party_max: 8 })
})

const clock = (quarter: number) => {
  const digits = (value: number) => String(value).padStart(2, '0')
  return `${digits(Math.floor(quarter / 4))}:${digits((quarter % 4) * 15)}`
}
const windows = fc.array(
  fc
    .record({
      day: fc.integer({ min: 1, max: 7 }),
      open: fc.integer({ min: 0, max: 95 }),
      length: fc.integer({ min: 1, max: 64 }),
    })
    .map(({ day, open, length }) => ({ day, open: clock(open), close: clock(open + length) })),
  { maxLength: 10 },
)
const anyRules = fc
  .record({
    windows,
    grid_minutes: fc.constantFrom(15, 30, 45, 60),
    lead_minutes: fc.constantFrom(0, 1, 45, 1440),
    horizon_days: fc.integer({ min: 1, max: 10 }),
    durations: fc.constantFrom<Rules['durations'][]>(
      [{ party_max: 8, minutes: 90 }],
      [
        { party_max: 2, minutes: 60 },
        { party_max: 8, minutes: 150 },
      ],
    ),
  })
  .map((changes) => rulesWith(changes))
const exceptions = fc.array(
  fc.record<DayException>({
    date: fc.integer({ min: 27, max: 31 }).map((day) => `2027-03-${day}`),
    windows: fc.constantFrom<DayException['windows'][]>([], [{ open: '09:00', close: '25:30' }]),
    reason: fc.constant('A holiday'),
  }),
  { maxLength: 3 },
)
const question = fc.record({
  rules: anyRules,
  exceptions,
  timezone: fc.constantFrom('Asia/Makassar', 'Asia/Yangon', 'Europe/Berlin', 'America/New_York'),
  partySize: fc.integer({ min: 1, max: 8 }),
  at: fc
    .integer({ min: 0, max: 4 * 24 * 60 })
    .map((minutes) => new Date(Date.UTC(2027, 2, 25) + minutes * MINUTE_MS)),
})

test('property: every slot shown is accepted, and every other quarter hour is refused', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const until = new Date(asked.at.getTime() + 3 * DAY_MS)
      const shown = [...offeredSlots({ ...asked, from: asked.at, until })]
      for (const slot of shown) {
        expect(evaluateSlot({ ...asked, slotTime: slot.slotTime })).toEqual({ slot })
      }
      const offered = new Set(shown.map(({ slotTime }) => slotTime))
      const last = toLocal(asked.timezone, until)
      for (let local = '2027-03-25T00:00:00'; local < last; local = addMinutes(local, 15)) {
        if (!offered.has(local))
          expect(evaluateSlot({ ...asked, slotTime: local })).toHaveProperty('refusal')
      }
    }),
    { numRuns: 150 },
  )
})
