import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectAlternatives } from '../../src/availability/store/alternatives.ts'
import { upsertMirror } from '../../src/availability/store/mirror.ts'
import { selectNextSlots } from '../../src/availability/store/next-slots.ts'
import { selectOptionalVenue, type VenueRow } from '../../src/availability/store/venues.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import { toLocal } from '../../src/base/local-time.ts'
import { upsertConnector } from '../../src/confirmation/store/connectors.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { withoutNothing } from '../../src/venues/store/venue-scopes.ts'
import { selectVenues, type VenueFilter } from '../../src/venues/store/venue-search.ts'
import { createDatabase } from '../support/database.ts'
import { holdSlot } from '../support/hold.ts'

let db: Pool
let url: string
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 3, () => {})
  url = database.url
  drop = database.drop
})
afterAll(async () => {
  await db.end()
  await drop()
})

/** Saturday, 18:00 in Bali. */
const at = new Date('2026-11-21T10:00:00Z')

const venuesWith = async (filter: Partial<VenueFilter>): Promise<VenueRow[]> => {
  const found = await selectVenues(db, { ...everything, ...filter })
  return found.map(({ venue }) => venue)
}

const everything: VenueFilter = {
  isTest: false,
  category: null,
  areas: null,
  origin: null,
  radiusKm: null,
  without: withoutNothing,
  terms: [],
  match: 'all',
  after: null,
  limit: 500,
}

async function venueNamed(slug: string): Promise<VenueRow> {
  const venue = await selectOptionalVenue(db, slug, null)
  if (!venue) throw new Error(`no venue ${slug}`)
  return venue
}

/** The first venue in a category that no other test books. */
async function venueOf(category: 'restaurant' | 'gym' | 'spa', areas: string[]): Promise<VenueRow> {
  const [venue] = await venuesWith({ category, areas, limit: 1 })
  if (!venue) throw new Error(`no ${category} in ${areas}`)
  return venue
}

async function slotsOf(venue: VenueRow, partySize = 2, count = 8) {
  const asked = { at, feePct: 2.5, count, partySize, from: new Date(at.getTime() + DAY_MS) }
  return (await selectNextSlots(db, [venue], asked)).get(venue.id)?.slots ?? []
}

test('every demo venue has a slot to book in the next seven days', async () => {
  const venues = await venuesWith({})
  expect(venues.length).toBeGreaterThanOrEqual(200)
  const availability = await selectNextSlots(db, venues, { at, feePct: 2.5, count: 3 })
  for (const { id, timezone } of venues) {
    const found = availability.get(id)
    expect(found?.timezone).toBe(timezone)
    expect(found?.slots).toHaveLength(3)
    expect(found?.next_slot_time).toBe(found?.slots[0]?.slot_time)
    for (const slot of found?.slots ?? []) {
      expect(Date.parse(slot.starts_at)).toBeGreaterThan(at.getTime())
      expect(Date.parse(slot.starts_at)).toBeLessThanOrEqual(at.getTime() + 7 * DAY_MS)
      expect(slot.places_left).toBeGreaterThan(0)
    }
  }
})

test('every slot shown can be held, up to its largest party, as the venue fills up', async () => {
  for (const category of ['restaurant', 'gym', 'spa'] as const) {
    const venue = await venueOf(category, ['amed'])
    for (let turn = 0; turn < 10; turn += 1) {
      const shown = await slotsOf(venue)
      const { slot_time = '', party_max = 0 } = shown[turn % 4] ?? {}
      const held = await holdSlot(db, { venue, slotTime: slot_time, partySize: party_max, at })
      expect(held).toMatchObject({ status: 'held' })
    }
  }
})

test('a hold removes the last table from the slots, and a second one is refused', async () => {
  const venue = await venueNamed('satu-meja')
  const [slot] = await slotsOf(venue)
  expect(slot).toMatchObject({ status: 'limited', places_left: 1 })
  const slotTime = slot?.slot_time ?? ''
  expect(await holdSlot(db, { venue, slotTime, partySize: 2, at })).toMatchObject({
    status: 'held',
  })
  const shown = (await slotsOf(venue)).map(({ slot_time }) => slot_time)
  expect(shown).not.toContain(slotTime)
  const refused = await holdSlot(db, { venue, slotTime, partySize: 2, at })
  expect(refused).toMatchObject({ refusal: { code: 'slot_unavailable' } })
  const alternatives = await selectAlternatives(db, venue.id, {
    slotTime,
    partySize: 2,
    at,
    limit: 5,
  })
  expect(refused).toMatchObject({ refusal: { facts: { alternatives } } })
  expect(alternatives).toHaveLength(5)
  for (const { venue: ref, slot_time } of alternatives) {
    expect({ venue: ref.slug, slot_time }).not.toEqual({ venue: venue.slug, slot_time: slotTime })
  }
})

test('nearby venues serve as alternatives if the venue cannot seat the party', async () => {
  const venue = await venueNamed('satu-meja')
  const [slot] = await slotsOf(venue)
  const asked = { slotTime: slot?.slot_time ?? '', partySize: 8, at, limit: 5 }
  const alternatives = await selectAlternatives(db, venue.id, asked)
  expect(alternatives.length).toBeGreaterThan(0)
  for (const one of alternatives) {
    const other = await venueNamed(one.venue.slug)
    expect(other.id).not.toBe(venue.id)
    expect(other.category).toBe(venue.category)
    expect(await holdSlot(db, { venue: other, slotTime: one.slot_time, partySize: 8, at })).toEqual(
      expect.objectContaining({ status: 'held' }),
    )
  }
})

test('a class’s remaining places count down, and a full class is hidden', async () => {
  const venue = await venueOf('gym', ['sanur'])
  const [before] = await slotsOf(venue, 1)
  const slotTime = before?.slot_time ?? ''
  const places = before?.places_left ?? 0
  await holdSlot(db, { venue, slotTime, partySize: 1, at })
  expect((await slotsOf(venue, 1))[0]).toMatchObject({
    slot_time: slotTime,
    places_left: places - 1,
  })
  for (let taken = 1; taken < places; taken += 1) {
    await holdSlot(db, { venue, slotTime, partySize: 1, at })
  }
  expect((await slotsOf(venue, 1)).map(({ slot_time }) => slot_time)).not.toContain(slotTime)
})

test('a venue that is full for days shows its first slot after them', async () => {
  const venue = await venueNamed('satu-meja')
  const nextSlot = async () => (await slotsOf(venue, 2, 1))[0]?.slot_time ?? ''
  for (let next = await nextSlot(); next < '2026-11-26'; next = await nextSlot()) {
    expect(await holdSlot(db, { venue, slotTime: next, partySize: 2, at })).toMatchObject({
      status: 'held',
    })
  }
  expect(await nextSlot()).toMatch(/^2026-11-2[67]T/)
})

test('no venue in Bali opens on Nyepi, but those elsewhere do', async () => {
  const venues = await venuesWith({ category: 'restaurant' })
  const asked = { at: new Date('2027-02-20T00:00:00Z'), feePct: 2.5, count: 60 }
  const found = await selectNextSlots(db, venues, {
    ...asked,
    from: new Date('2027-03-07T16:00:00Z'),
  })
  const datesIn = (isThere: (venue: VenueRow) => boolean) =>
    new Set(
      venues
        .filter(isThere)
        .flatMap(({ id }) => found.get(id)?.slots.map((slot) => slot.slot_time.slice(0, 10))),
    )
  const bali = datesIn(({ city }) => city === 'Bali')
  expect([bali.has('2027-03-08'), bali.has('2027-03-09')]).toEqual([false, true])
  expect(datesIn(({ city }) => city === 'Singapore')).toContain('2027-03-08')
})

test('PostgreSQL and Node agree on the local time of every area', async () => {
  const { rows } = await db.query(
    `select timezone, to_char($1::timestamptz at time zone timezone,
     'YYYY-MM-DD"T"HH24:MI:SS') as local
     from area`,
    [at],
  )
  for (const { timezone, local } of rows) expect(toLocal(timezone, at)).toBe(local)
})

test('a class shows no more places than the connected venue reports', async () => {
  const venue = await venueOf('gym', ['canggu'])
  const [slot] = await slotsOf(venue)
  const date = slot?.slot_time.slice(0, 10) ?? ''
  const connector = { url: 'https://venue.example/', secret: 'never opened here' }
  await upsertConnector(db, { venueId: venue.id, ...connector }, at)
  const own = { slot_time: slot?.slot_time ?? '', party_min: 1, party_max: 4, places_left: 2 }
  await upsertMirror(db, venue.id, { from: date, to: date, asOf: at, slots: [own] })
  const fresh = openPool(url, 1, () => {})
  const period = { at, feePct: 2.5, count: 1, partySize: 2, from: new Date(at.getTime() + DAY_MS) }
  const shown = (await selectNextSlots(fresh, [venue], period)).get(venue.id)?.slots[0]
  await fresh.end()
  expect(slot?.places_left).toBeGreaterThan(2)
  expect(shown).toMatchObject({ slot_time: slot?.slot_time, places_left: 2, status: 'limited' })
  expect(shown?.party_max).toBe(2)
})
