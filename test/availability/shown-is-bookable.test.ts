import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rules } from '../../src/availability/rules/rules.ts'
import type { Wish } from '../../src/availability/rules/service-terms.ts'
import { withSessions } from '../../src/availability/rules/sessions.ts'
import { selectDays } from '../../src/availability/store/day-availability.ts'
import { releaseInventory } from '../../src/availability/store/inventory.ts'
import { partyServicesOf } from '../../src/availability/store/party-services.ts'
import { selectServicesOf } from '../../src/availability/store/venue-services.ts'
import { addDays, addMinutes, toInstant } from '../../src/base/local-time.ts'
import { selectBooking } from '../../src/bookings/store/booking-view.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createDatabase, openTestPool, type TestDatabase } from '../support/database.ts'
import { holdSlot } from '../support/hold.ts'
import { rulesWith } from '../support/rules.ts'
import { addVenue, type ServiceOptions, type TestVenue } from '../support/test-venues.ts'

let db: Pool
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 20)
  for (const timezone of zones) {
    const slug = areaOf(timezone)
    await db.query(
      `insert into area
         (slug, name, aliases, city, country, timezone, currency, latitude, longitude)
       values ($1, $1, '{}', 'Bali', 'ID', $2, 'IDR', -8.5, 115.2)`,
      [slug, timezone],
    )
  }
})
afterAll(async () => {
  await db.end()
  await database.drop()
})

const zones = [
  'Asia/Makassar',
  'Asia/Yangon',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
]
const areaOf = (timezone: string) => timezone.toLowerCase().replace(/\W/g, '-')

/** Days around clock changes in Berlin and New York, and an ordinary day. */
const dates = ['2027-03-13', '2027-03-27', '2027-10-30', '2027-11-06', '2027-06-11']

const table = fc.record({
  kind: fc.constant('table'),
  party_min: fc.constantFrom(1, 1, 2),
  party_max: fc.constantFrom(2, 3, 4, 6),
  joins: fc.constantFrom(null, 'hall', 'hall', 'terrace'),
})
const therapist = fc.record({
  kind: fc.constant('therapist'),
  party_min: fc.constant(1),
  party_max: fc.constant(1),
})
const shared = fc.record({
  windows: fc.constantFrom<Rules['windows'][]>(week('20:00', '27:30'), week('00:00', '04:00'), [
    ...week('17:00', '20:30'),
    ...week('22:00', '26:00'),
  ]),
  grid_minutes: fc.constantFrom(30, 60),
  buffer_minutes: fc.constantFrom(0, 15, 40),
  lead_minutes: fc.constant(60),
  durations: fc.constantFrom<Rules['durations'][]>(
    [{ party_max: 8, minutes: 90 }],
    [
      { party_max: 2, minutes: 60 },
      { party_max: 8, minutes: 150 },
    ],
  ),
})
const exclusive = fc
  .record({
    rules: shared,
    max_joined: fc.constantFrom(1, 2, 3, 4),
    tables: fc.array(table, { minLength: 2, maxLength: 6 }),
    therapists: fc.oneof(fc.constant([]), fc.array(therapist, { maxLength: 8 })),
  })
  .map(({ rules, max_joined, tables, therapists }): ServiceOptions => {
    const requires: Rules['requires'] = [{ kind: 'table', per: 'party', max_joined }]
    const leader = therapists.length > 0 ? 'therapist' : undefined
    if (leader) requires.unshift({ kind: leader, per: 'guest' })
    return {
      rules: { ...rules, requires, horizon_days: 400, leader },
      resources: [...tables, ...therapists],
    }
  })
const pooled = fc.record({ rules: shared, places: fc.integer({ min: 1, max: 9 }) }).map(
  ({ rules, places }): ServiceOptions => ({
    strategy: 'pooled',
    rules: { ...rules, places, horizon_days: 400 },
  }),
)
const sessionName = fc.constantFrom(undefined, 'Vinyasa', 'Yin')
/** Sessions at any half hour, some on one date only, led by the first of the shared resources. */
const classes = fc
  .record({
    sessions: fc.uniqueArray(
      fc.record({
        half: fc.integer({ min: 0, max: 47 }),
        minutes: fc.constantFrom(30, 60, 150),
        places: fc.integer({ min: 1, max: 8 }),
        with: fc.constantFrom(undefined, 'Table 101'),
        name: sessionName,
        once: sessionName,
        date: fc.constantFrom(undefined, undefined, ...dates),
        cancelled: fc.constantFrom(undefined, undefined, 'ill'),
      }),
      { minLength: 1, maxLength: 6, selector: ({ half }) => half },
    ),
    buffer_minutes: fc.constantFrom(0, 15),
  })
  .map(({ sessions, buffer_minutes }): ServiceOptions => {
    const all = sessions.flatMap(({ half, date, cancelled, once: name, ...one }) => {
      const start = `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`
      const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ ...one, start, day }))
      return date ? [...weekly, { ...one, start, date, places: 2, cancelled, name }] : weekly
    })
    const rules = rulesWith({ requires: [], buffer_minutes, lead_minutes: 60, horizon_days: 400 })
    return { strategy: 'pooled', rules: { ...withSessions(rules, all), leader: 'therapist' } }
  })
const sharedTable = fc.record({
  kind: fc.constantFrom('table', 'therapist'),
  party_min: fc.constant(1),
  party_max: fc.constantFrom(1, 2, 4),
  can: fc.constantFrom(null, null, [0], [1]),
  hours: fc.constantFrom(null, week('21:00', '26:00'), week('00:00', '02:30')),
  days_off: fc.constantFrom<string[]>([], [], [...dates]),
})
const house = fc.record({
  timezone: fc.constantFrom(...zones),
  date: fc.constantFrom(...dates),
  services: fc.array(fc.oneof(exclusive, exclusive, pooled, classes), {
    minLength: 1,
    maxLength: 2,
  }),
  shared: fc.array(sharedTable, { maxLength: 5 }),
  guests: fc.array(
    fc.record({ slot: fc.nat({ max: 3 }), partySize: fc.integer({ min: 1, max: 8 }) }),
    {
      maxLength: 12,
    },
  ),
  partySize: fc.integer({ min: 1, max: 8 }),
  wished: fc.nat({ max: 7 }),
})

function week(open: string, close: string): Rules['windows'] {
  return [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, open, close }))
}

/** Every half hour of the day and the following night. */
const grid = (date: string) =>
  Array.from({ length: 30 * 2 }, (_, index) => addMinutes(`${date}T00:00:00`, index * 30))

/** The bookable slots shown for two days, in order. */
async function shownAt(
  venue: TestVenue,
  date: string,
  partySize: number,
  { at, wish = {} }: { at: Date; wish?: Wish },
) {
  const around = { from: addDays(date, -1), to: addDays(date, 1) }
  const offers = partyServicesOf(await selectServicesOf(db, venue.id, around), partySize, wish)
  const days = await selectDays(db, offers, { dates: [date, addDays(date, 1)], at, feePct: 2.5 })
  return days
    .flatMap(({ slots }) => slots)
    .filter(({ status }) => status === 'available' || status === 'limited')
}

/** Whether the slot can be booked; the booking is then released. */
async function canHave(
  venue: TestVenue,
  slotTime: string,
  partySize: number,
  when: { at: Date; wish?: Wish },
) {
  const bookingId = randomUUIDv7()
  const opening = await holdSlot(db, { venue, slotTime, partySize, bookingId, ...when })
  if ('refusal' in opening) return false
  const { leaderId, session } = when.wish ?? {}
  if (session) expect((await selectBooking(db, bookingId)).service).toMatchObject({ session })
  // Whoever leads a class is not allocated to its guests.
  const taken = `select from allocation where booking_id = $1 and resource_id = $2
    union all select from slot_count where booking_id = $1`
  if (leaderId) expect((await db.query(taken, [bookingId, leaderId])).rowCount).toBe(1)
  await releaseInventory(db, bookingId)
  return true
}

/** One of the venue's services, its sessions by name, or its therapists. */
async function wishFor(venue: TestVenue, position: number): Promise<Wish> {
  const { rows } = await db.query(
    `select jsonb_build_object('serviceId', id) as wish from service where venue_id = $1 union all (
       select jsonb_build_object('leaderId', id) from resource
       where venue_id = $1 and kind = 'therapist' limit 4) union all
     (select distinct jsonb_build_object('serviceId', o.id, 'session', one ->> 'name')
       from service o join service_rules r on r.service_id = o.id and r.version = o.rule_version,
         jsonb_array_elements(r.rules -> 'sessions') as one
       where venue_id = $1 and one ? 'name')`,
    [venue.id],
  )
  return rows[position % rows.length].wish
}

test('property: every slot that is shown can be booked, and no other', async () => {
  await fc.assert(
    fc.asyncProperty(
      house,
      async ({ timezone, date, services, shared, guests, partySize, wished }) => {
        const venue = await addVenue(db, services, { area: areaOf(timezone), shared })
        const at = new Date(Date.parse(`${date}T00:00:00Z`) - 2 * 86_400_000)
        for (const { slot, partySize: size } of guests) {
          const free = await shownAt(venue, date, size, { at })
          const { slot_time: slotTime } = free[slot % free.length] ?? {}
          if (slotTime) await holdSlot(db, { venue, slotTime, partySize: size, at })
        }
        for (const wish of [{}, await wishFor(venue, wished)]) {
          const shown = await shownAt(venue, date, partySize, { at, wish })
          const had: string[] = []
          for (const slotTime of grid(date)) {
            if (!toInstant(timezone, slotTime)) continue
            if (await canHave(venue, slotTime, partySize, { at, wish })) had.push(slotTime)
          }
          const inGrid = new Set(grid(date))
          const times = new Set(shown.map((one) => one.slot_time))
          expect(had).toEqual([...times].filter((slotTime) => inGrid.has(slotTime)))
        }
      },
    ),
    { numRuns: 15, interruptAfterTimeLimit: 30_000 },
  )
}, 120_000)

test('property: the largest party of a slot can book it', async () => {
  await fc.assert(
    fc.asyncProperty(house, async ({ timezone, date, services, shared, guests }) => {
      const venue = await addVenue(db, services, { area: areaOf(timezone), shared })
      const at = new Date(Date.parse(`${date}T00:00:00Z`) - 2 * 86_400_000)
      for (const { slot, partySize } of guests) {
        const free = await shownAt(venue, date, partySize, { at })
        const { slot_time: slotTime = '', party_max = 0 } = free[slot % free.length] ?? {}
        if (slotTime === '') continue
        const held = await holdSlot(db, { venue, slotTime, partySize: party_max, at })
        expect(held).toMatchObject({ status: 'held' })
      }
    }),
    { numRuns: 30, interruptAfterTimeLimit: 30_000 },
  )
}, 120_000)

test('20 rivals for four tables that join: two parties of eight, no deadlock', async () => {
  const joinable = { party_max: 4, joins: 'hall' }
  const rules = { requires: [{ kind: 'table', per: 'party' as const, max_joined: 2 }] }
  const venue = await addVenue(db, [{ rules, resources: Array(4).fill(joinable) }])
  const at = new Date('2026-11-21T10:00:00Z')
  const openings = await Promise.all(
    Array.from({ length: 20 }, () =>
      holdSlot(db, { venue, slotTime: '2026-11-25T19:00:00', partySize: 8, at }),
    ),
  )
  expect(openings.filter((one) => 'status' in one)).toHaveLength(2)
})

test('20 couples who wish for one of four therapists: each booked one has theirs', async () => {
  const requires = [{ kind: 'therapist', per: 'guest' as const }]
  const rules = { requires, leader: 'therapist' }
  const people = Array.from({ length: 4 }, () => ({ kind: 'therapist', party_max: 1 }))
  const venue = await addVenue(db, [{ rules, resources: people }])
  const at = new Date('2026-11-21T10:00:00Z')
  const { rows } = await db.query('select id from resource where venue_id = $1', [venue.id])
  const booked = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const [bookingId, leaderId] = [randomUUIDv7(), rows[index % rows.length].id]
      const slot = { slotTime: '2026-11-25T19:00:00', partySize: 2 }
      const held = await holdSlot(db, { venue, ...slot, bookingId, wish: { leaderId }, at })
      return 'status' in held ? [{ bookingId, leaderId }] : []
    }),
  )
  expect(booked.flat().length).toBeGreaterThan(0)
  const taken = await db.query(
    'select booking_id, resource_id from allocation where venue_id = $1 and active',
    [venue.id],
  )
  expect(taken.rows).toHaveLength(booked.flat().length * 2)
  for (const { bookingId, leaderId } of booked.flat()) {
    expect(taken.rows).toContainEqual({ booking_id: bookingId, resource_id: leaderId })
  }
  const deadlocks = await db.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  expect(deadlocks.rows).toEqual([{ deadlocks: 0 }])
})
