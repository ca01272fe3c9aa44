import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evaluateServices, looksFree } from '../../src/availability/steps/evaluate-services.ts'
import { evaluated } from '../../src/availability/store/bookable-slots.ts'
import { nextSlotsBy, planNextSlots } from '../../src/availability/store/next-slots.ts'
import { readServices } from '../../src/availability/store/party-services.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { missedVisit } from '../../src/venues/operations/missed-visit.ts'
import { readVenueSlots } from '../../src/waitlist/store/venue-slots.ts'
import { createDatabase } from '../support/database.ts'
import { holdSlot } from '../support/hold.ts'
import { addVenue, type TestVenue } from '../support/test-venues.ts'

const MINUTE = 60_000
const DAY = 1440
/** Monday, 00:00 at the venue, which is always eight hours ahead of UTC. */
const MONDAY = Date.UTC(2026, 10, 22, 16)
const localOf = (ms: number) => new Date(ms + 480 * MINUTE).toISOString().slice(0, 19)
const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

let db: Pool
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 2, () => {})
  drop = database.drop
})
afterAll(async () => {
  await db.end()
  await drop()
})

/** A week of windows in minutes, tables by size, and the rules that decide between words. */
const venues = fc.record({
  windows: fc.array(
    fc.record({
      day: fc.integer({ min: 0, max: 3 }),
      open: fc.integer({ min: 10, max: 45 }).map((half) => half * 30),
      length: fc.integer({ min: 6, max: 36 }).map((quarters) => quarters * 15),
    }),
    { minLength: 2, maxLength: 5 },
  ),
  tables: fc.array(fc.constantFrom([1, 2], [2, 4], [4, 6]), { minLength: 1, maxLength: 2 }),
  lead: fc.constantFrom(0, 90, 1500),
  horizon: fc.constantFrom(2, 7, 30),
  stay: fc.constantFrom(60, 90),
})
type Plan = typeof venues extends fc.Arbitrary<infer T> ? T : never
const visits = fc.record({
  day: fc.integer({ min: 0, max: 4 }),
  minute: fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
  size: fc.integer({ min: 1, max: 7 }),
})
const NOW = MONDAY + 600 * MINUTE
const GRID = 30

type Taken = { table: number; from: number; until: number }

/** Judges by trying every quarter of an hour against every window and table. */
function oracleFor({ windows, tables, lead, horizon, stay }: Plan, taken: readonly Taken[]) {
  const spans = windows.flatMap(({ day, open, length }) =>
    [-1, 0, 1].map((week) => {
      const from = MONDAY + ((week * 7 + day) * DAY + open) * MINUTE
      return { from, until: from + length * MINUTE }
    }),
  )
  const isOpen = (at: number) => spans.some(({ from, until }) => from <= at && at < until)
  const takes = (size: number) => tables.some(([min = 0, max = 0]) => min <= size && size <= max)
  const isTime = (at: number) =>
    spans.some(
      ({ from, until }) =>
        from <= at && (at - from) % (GRID * MINUTE) === 0 && at + stay * MINUTE <= until,
    )
  const isFree = (at: number, size: number) =>
    tables.some(
      ([min = 0, max = 0], table) =>
        min <= size &&
        size <= max &&
        !taken.some(
          (one) => one.table === table && one.from < at + (stay + 15) * MINUTE && at < one.until,
        ),
    )
  const isEarly = (at: number) => at < Math.max(NOW + lead * MINUTE, NOW + 1)
  const isFar = (at: number) => at > NOW + horizon * DAY * MINUTE
  const day = (date: number) =>
    Array.from({ length: DAY / 15 }, (_, index) => date + index * 15 * MINUTE).filter(isTime)
  const around = (at: number) =>
    Array.from({ length: 13 }, (_, index) => at + (index - 6) * 15 * MINUTE).filter(isTime)
  const couldBook = (size: number) => (at: number) => !isEarly(at) && !isFar(at) && isFree(at, size)
  return {
    day,
    couldBook,
    /** The word that a refusal must have. */
    refusal(at: number, size: number): string[] {
      if (!takes(size)) return ['party_too_small', 'party_too_large']
      if (at <= NOW) return ['slot_in_past']
      if (isFar(at)) return ['beyond_horizon']
      if (!isTime(at)) return isOpen(at) ? ['venue_closed', 'slot_off_grid'] : ['venue_closed']
      if (isEarly(at)) return ['lead_time']
      return isFree(at, size) ? ['free'] : ['taken']
    },
    /** How the note of a search must begin; null if none is needed. */
    note(date: number, at: number, size: number): RegExp | null {
      const times = day(date)
      const near = around(at)
      const sameDay = near.filter((one) => one >= date && one < date + DAY * MINUTE)
      if (!takes(size)) return /^Takes parties of/
      const isOutside =
        times.length > 0 && (times.every((one) => one < at) || times.every((one) => one > at))
      const free = near.filter(couldBook(size))
      const isBetween = free.some((one) => one >= at) && free.some((one) => one < at)
      const isNight = times.every((one) => one < at) && free.some((one) => one >= at)
      if (free.length > 0) return isOutside && !isBetween && !isNight ? /^No time at/ : null
      if (times.length === 0) return /^Closed on/
      if (times.every(isFar)) return /^Takes bookings \d+ days ahead/
      if (sameDay.length === 0) return /^No times near/
      if (sameDay.every(isEarly)) return /^Too late to book/
      return sameDay.every((one) => isEarly(one) || isFar(one)) ? /^Takes bookings/ : /^Full near/
    },
  }
}

const openVenue = ({ windows, tables, lead, horizon, stay }: Plan): Promise<TestVenue> =>
  addVenue(db, [
    {
      rules: {
        windows: windows.map(({ day, open, length }) => ({
          ...{ day: day + 1, open: clock(open), close: clock(open + length) },
        })),
        grid_minutes: GRID,
        durations: [{ party_max: 6, minutes: stay }],
        ...{ party_max: 6, lead_minutes: lead, horizon_days: horizon },
      },
      resources: tables.map(([party_min = 1, party_max = 1], index) => ({
        ...{ name: `Table ${index}`, party_min, party_max },
      })),
    },
  ])

async function takenAt(venue: TestVenue): Promise<Taken[]> {
  const { rows } = await db.query(
    `select r.name, extract(epoch from lower(a.during)) * 1000 as start,
       extract(epoch from upper(a.during)) * 1000 as until
     from allocation a join resource r on r.id = a.resource_id
     where a.venue_id = $1 and a.active`,
    [venue.id],
  )
  return rows.map(({ name, start, until }) => ({
    table: Number(name.slice(-1)),
    from: Number(start),
    until: Number(until),
  }))
}

async function saidAbout(venue: TestVenue, { from, size }: { from: number; size: number }) {
  const at = new Date(NOW)
  const local = localOf(from)
  const [date = '', time = ''] = [local.slice(0, 10), local.slice(11, 16)]
  const start = new Date(Math.max(from, NOW))
  const period = {
    from: new Date(start.getTime() - DAY * MINUTE),
    until: new Date(from + 8 * DAY * MINUTE),
  }
  const services = await readServices(db, [venue.id], period)
  const request = { at, count: 3, partySize: size, from: start, day: date }
  const plan = await planNextSlots(db, [venue], services, request)
  const next = await evaluated(db, plan, (slots, taken) =>
    nextSlotsBy(db, slots, taken, { feePct: 2.5 }),
  )
  const { slots = [] } = next.get(venue.id) ?? {}
  const own = { timezone: venue.timezone, services: services.byVenue.get(venue.id), slots }
  const missed = missedVisit(own, { partySize: size, date, time, isExact: true }, at)
  const party = { venueId: venue.id, slotTime: local, partySize: size }
  const evaluation = await evaluateServices(db, party, at)
  const isFree = await looksFree(db, evaluation, party)
  const word = evaluation.refusal?.code ?? (isFree ? 'free' : 'taken')
  const wanted = new Date(from)
  const read = await readVenueSlots(db, venue.id, { from: wanted, until: wanted, at })
  const window = { wanted, earliest: wanted, latest: wanted, start: { partySize: size } }
  const canWait = read.allowed(window).length > 0
  return { note: missed?.note ?? null, slots: slots.map((one) => one.slot_time), word, canWait }
}

test('property: what is said about a time is what an oracle finds by trying all', async () => {
  const seen = new Set<string>()
  const property = fc.asyncProperty(
    venues,
    fc.array(visits, { maxLength: 12 }),
    fc.array(visits, { minLength: 4, maxLength: 8 }),
    async (plan, bookings, questions) => {
      const venue = await openVenue(plan)
      for (const { day, minute, size } of bookings) {
        const from = MONDAY + (day * DAY + minute - (minute % 30)) * MINUTE
        // Early enough for the longest lead, late enough for the shortest horizon.
        const at = new Date(from - 26 * 60 * MINUTE)
        await holdSlot(db, { venue, slotTime: localOf(from), partySize: size, at })
      }
      const oracle = oracleFor(plan, await takenAt(venue))
      for (const { day, minute, size } of [...bookings, ...questions]) {
        const date = MONDAY + day * DAY * MINUTE
        const from = date + minute * MINUTE
        const said = await saidAbout(venue, { from, size })
        expect(oracle.refusal(from, size)).toContain(said.word)
        expect(said.canWait).toBe(['free', 'taken'].includes(said.word))
        seen.add(said.word)
        if (from <= NOW) continue
        const expected = oracle.note(date, from, size)
        if (expected) expect(said.note).toMatch(expected)
        else expect(said.note).toBeNull()
        seen.add(said.note?.split(' ').slice(0, 2).join(' ') ?? 'nothing')
        const ofDay = oracle.day(date).filter(oracle.couldBook(size)).map(localOf)
        const shown = said.slots.filter((one) => ofDay.includes(one))
        const elsewhere = said.slots.filter(
          (one) =>
            !ofDay.includes(one) &&
            Math.abs(Date.parse(`${one}Z`) - 480 * MINUTE - from) > 90 * MINUTE,
        )
        if (elsewhere.length > 0) expect(shown.length).toBe(ofDay.length)
      }
    },
  )
  await fc.assert(property, { numRuns: 60, seed: 38 })
  for (const word of ['taken', 'free', 'venue_closed']) expect([...seen]).toContain(word)
})
