import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  freeFor,
  type Inventory,
  partyRange,
  statusOf,
} from '../../src/availability/rules/capacity.ts'
import { evaluateSlot } from '../../src/availability/rules/evaluate-slot.ts'
import type { OfferedSlot } from '../../src/availability/rules/slots.ts'
import { MINUTE_MS } from '../../src/base/durations.ts'
import { rulesWith } from '../support/rules.ts'

const timezone = 'Asia/Makassar'
const at = new Date('2026-11-21T10:00:00Z')

function slotFor(rules = rulesWith(), partySize = 2): OfferedSlot {
  const slotTime = '2026-11-22T19:00:00'
  const judged = evaluateSlot({ rules, exceptions: [], timezone, slotTime, partySize, at })
  if ('refusal' in judged) throw new Error(judged.refusal.message)
  return judged.slot
}

const ids = (count: number, kind: string) =>
  ['one', 'two', ...Array.from({ length: count }, (_, index) => `${index + 3}`)]
    .slice(0, count)
    .map((name) => (kind === 'table' ? name : `${kind} ${name}`))

const table = (party_min: number, party_max: number, count: number, kind = 'table') => ({
  kind: 'table',
  party_min,
  party_max,
  ids: ids(count, kind),
})

/** A table for two, taken from this many minutes after the slot's start. */
const takenFrom = (minutes: number, length: number, resource_id = 'one') => {
  const from = slotFor().startsAt.getTime() + minutes * MINUTE_MS
  return { resource_id, from, until: from + length * MINUTE_MS }
}

const tables = (taken: ReturnType<typeof takenFrom>[] = []): Inventory => ({
  strategy: 'exclusive',
  timezone,
  resources: [table(1, 2, 3), table(3, 6, 1, 'large')],
  taken,
})

test('only tables that suit the party count', () => {
  expect(freeFor(rulesWith(), tables(), slotFor(), 2)).toEqual({
    fits: true,
    remaining: 3,
    total: 3,
  })
  expect(freeFor(rulesWith(), tables(), slotFor(), 4)).toEqual({
    fits: true,
    remaining: 1,
    total: 1,
  })
  expect(freeFor(rulesWith(), tables(), slotFor(), 7).fits).toBe(false)
})

test('a table is taken while a booking overlaps the slot or its buffer, counted once', () => {
  const left = (taken: ReturnType<typeof takenFrom>[]) =>
    freeFor(rulesWith(), tables(taken), slotFor(), 2).remaining
  expect(left([takenFrom(-105, 105)])).toBe(3)
  expect(left([takenFrom(-104, 105)])).toBe(2)
  expect(left([takenFrom(104, 105)])).toBe(2)
  expect(left([takenFrom(105, 105)])).toBe(3)
  expect(left([takenFrom(-90, 105), takenFrom(60, 105)])).toBe(2)
  expect(left([takenFrom(0, 105), takenFrom(0, 105, 'two')])).toBe(1)
})

test('a treatment needs a room for the party and a therapist per guest', () => {
  const rules = rulesWith({
    requires: [
      { kind: 'therapist', per: 'guest' },
      { kind: 'room', per: 'party' },
    ],
  })
  const inventory: Inventory = {
    strategy: 'exclusive',
    timezone,
    resources: [
      { kind: 'therapist', party_min: 1, party_max: 1, ids: ids(3, 'therapist') },
      { kind: 'room', party_min: 1, party_max: 4, ids: ids(5, 'room') },
    ],
    taken: [],
  }
  expect(freeFor(rules, inventory, slotFor(rules), 3)).toEqual({
    fits: true,
    remaining: 3,
    total: 3,
  })
  expect(freeFor(rules, inventory, slotFor(rules), 4).fits).toBe(false)
  const query = { rules, exceptions: [], timezone, partySize: 1 }
  expect(partyRange(query, inventory, slotFor(rules))).toEqual({ party_min: 1, party_max: 3 })
})

test('class places run out, even when capacity drops below the number taken', () => {
  const rules = rulesWith({ places: 10, requires: [] })
  const slot = slotFor(rules)
  const counter = (cap: number, used: number): Inventory => ({
    strategy: 'pooled',
    resources: [],
    taken: [],
    counters: [{ starts_at: slot.startsAt.getTime(), cap, used }],
  })
  expect(freeFor(rules, counter(10, 0), slot, 8)).toEqual({ fits: true, remaining: 10, total: 10 })
  expect(freeFor(rules, counter(10, 7), slot, 4)).toEqual({ fits: false, remaining: 3, total: 10 })
  expect(freeFor(rules, counter(12, 11), slot, 1)).toEqual({ fits: false, remaining: 0, total: 10 })
})

test('limited means at most two left, or at most a fifth', () => {
  const status = (remaining: number, total: number) =>
    statusOf({ fits: remaining > 0, remaining, total })
  expect([status(3, 4), status(2, 4), status(0, 4)]).toEqual([
    'available',
    'limited',
    'unavailable',
  ])
  expect([status(9, 40), status(8, 40)]).toEqual(['available', 'limited'])
})

test('a large party with a longer stay cannot use a table booked soon after', () => {
  const rules = rulesWith({
    durations: [
      { party_max: 2, minutes: 60 },
      { party_max: 8, minutes: 150 },
    ],
  })
  const later = takenFrom(120, 90)
  const inventory: Inventory = {
    strategy: 'exclusive',
    timezone,
    resources: [table(1, 6, 1)],
    taken: [later],
  }
  const query = { rules, exceptions: [], timezone, partySize: 2 }
  expect(partyRange(query, inventory, slotFor(rules))).toEqual({ party_min: 1, party_max: 2 })
})

const groups = fc.array(
  fc
    .tuple(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
    )
    .map(([smallest, more, count]) => table(smallest, smallest + more, count)),
  { minLength: 1, maxLength: 4 },
)

test('property: both ends of a slot’s party range can be seated', () => {
  fc.assert(
    fc.property(groups, fc.integer({ min: 1, max: 8 }), (resources, partySize) => {
      const rules = rulesWith()
      const inventory: Inventory = { strategy: 'exclusive', timezone, resources, taken: [] }
      const slot = slotFor(rules, partySize)
      fc.pre(freeFor(rules, inventory, slot, partySize).fits)
      const range = partyRange({ rules, exceptions: [], timezone, partySize }, inventory, slot)
      for (const size of [range.party_min, range.party_max]) {
        expect(freeFor(rules, inventory, slot, size).fits).toBe(true)
      }
      for (let size = range.party_max + 1; size <= rules.party_max; size += 1) {
        expect(freeFor(rules, inventory, slot, size).fits).toBe(false)
      }
    }),
  )
})
