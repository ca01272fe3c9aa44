import { randomUUIDv7 } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { selectActivityAfter, selectActivityBefore } from '../../src/agents/store/feed.ts'
import { publishActivity } from '../../src/agents/store/feed-publication.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/base/durations.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createDatabase, openTestPool } from '../support/database.ts'

let db: Pool
let drop: () => Promise<void>

beforeEach(async () => {
  const database = await createDatabase()
  db = openTestPool(database.url, 10)
  drop = database.drop
})
afterEach(async () => {
  await db.end()
  await drop()
})

/** The hour before last, which has ended along with its grace period. */
const hour = new Date(Math.floor(Date.now() / HOUR_MS - 2) * HOUR_MS)
const inHour = (minutes: number) => new Date(hour.getTime() + minutes * MINUTE_MS)

const published = () => selectActivityBefore(db, null, 1000)
const publishedOf = async (type: string) => (await published()).filter((row) => row.type === type)

async function someVenues(count: number) {
  const { rows } = await db.query(
    'select id, slug, name, area_slug from venue order by slug limit $1',
    [count],
  )
  return rows
}

/** Records, as the waitlist does, that a full slot of the venue is bookable again. */
const insertOpenedSlot = (venueId: string, at: Date) =>
  db.query(`insert into unpublished_slot values ($1, date_trunc('hour', $2::timestamptz, 'UTC'))`, [
    venueId,
    at,
  ])

/** A new account's booking at the venue, with an event of this type. */
async function insertBookingEvent(venueId: string, type: string, at: Date) {
  const accountId = randomUUIDv7()
  const bookingId = randomUUIDv7()
  const serviceId = randomUUIDv7()
  await insertAccount(db, { id: accountId, name: 'test', tier: 'pro', at })
  await db.query(
    `with o as (
       insert into service (id, venue_id, name, strategy, position, rule_version)
       select $3, $4, 'table', 'exclusive', coalesce(max(position), 0) + 1, 1 from service
     ), o_rules as (
       insert into service_rules (service_id, version, rules, created_at) values ($3, 1, '{}', $6)
     ), r as (
       insert into request (booking_id, account_id, operation, body_hash, door, venue_id, slot_time,
         party_size, created_at)
       values ($2, $1, 'confirm', '', 'rest', $4, '2027-01-15T19:00', 2, $6)
     ), b as (
       insert into booking (id, account_id, venue_id, service_id, rule_version, status, revision,
         slot_time, starts_at, ends_at, party_size, cancel_until, created_at, updated_at)
       values ($2, $1, $4, $3, 1, 'failed', 1, '2027-01-15T19:00', $6,
         $6::timestamptz + interval '1 h',
         2, $6, $6, $6)
     ), t as (
       insert into transition (booking_id, transition_id, result, at) values ($2, 'test', '{}', $6)
     )
     insert into event (account_id, number, id, type, booking_id, transition_id, data, created_at)
     values ($1, 1, $7, $5, $2, 'test', '{}', $6)`,
    [accountId, bookingId, serviceId, venueId, type, at, randomUUIDv7()],
  )
}

test('bookings of a venue in one hour appear once, with venue, area and hour', async () => {
  const [booked, failed] = await someVenues(2)
  await insertBookingEvent(booked.id, 'booking.confirmed', inHour(5))
  await insertBookingEvent(booked.id, 'booking.confirmed', inHour(55))
  await insertBookingEvent(failed.id, 'booking.failed', inHour(5))
  await publishActivity(db, new Date())
  expect(await publishedOf('booking.confirmed')).toEqual([
    {
      id: expect.stringMatching(/^\d+$/),
      type: 'booking.confirmed',
      venue: { slug: booked.slug, name: booked.name },
      area: booked.area_slug,
      hour: hour.toISOString(),
    },
  ])
})

test('bookings and opened slots appear after the end of their hour', async () => {
  const [venue] = await someVenues(1)
  await publishActivity(db, inHour(3))
  await insertBookingEvent(venue.id, 'booking.confirmed', inHour(5))
  await insertOpenedSlot(venue.id, inHour(6))
  for (const minutes of [7, 59, 61]) {
    await publishActivity(db, inHour(minutes))
    const shown = (await published()).filter(({ type }) => type !== 'venue.added')
    expect([minutes, shown]).toEqual([minutes, []])
  }
  await publishActivity(db, inHour(62))
  expect(await publishedOf('booking.confirmed')).toMatchObject([{ hour: hour.toISOString() }])
  expect(await publishedOf('slot.opened')).toMatchObject([
    { hour: hour.toISOString(), venue: { slug: venue.slug } },
  ])
})

test('a booking that commits after its hour was published appears with the next hour', async () => {
  const [venue] = await someVenues(1)
  await publishActivity(db, inHour(62))
  await insertBookingEvent(venue.id, 'booking.confirmed', inHour(59))
  await insertOpenedSlot(venue.id, inHour(59))
  await publishActivity(db, inHour(119))
  expect(await publishedOf('booking.confirmed')).toEqual([])
  await publishActivity(db, inHour(122))
  expect(await publishedOf('booking.confirmed')).toMatchObject([{ hour: hour.toISOString() }])
  expect(await publishedOf('slot.opened')).toMatchObject([{ hour: hour.toISOString() }])
})

test('a venue whose import commits late gets a higher number than all read before', async () => {
  const [first, late] = await someVenues(2)
  await db.query('delete from unpublished_venue')
  const add = 'insert into unpublished_venue (venue_id, hour) values ($1, $2)'
  const importing = await db.connect()
  await importing.query('begin')
  await importing.query(add, [late.id, hour])
  await db.query(add, [first.id, hour])
  await publishActivity(db, new Date())
  const [read] = await published()
  expect(read).toMatchObject({ venue: { slug: first.slug } })
  await importing.query('commit')
  importing.release()
  await publishActivity(db, new Date())
  const after = await selectActivityAfter(db, Number(read?.id ?? 0), 10)
  expect(after).toMatchObject([{ type: 'venue.added', venue: { slug: late.slug } }])
})

test('concurrent publishers publish everything once', async () => {
  const venues = await someVenues(1000)
  for (const venue of venues.slice(0, 5)) {
    await insertBookingEvent(venue.id, 'booking.confirmed', inHour(5))
  }
  await Promise.all(Array.from({ length: 8 }, () => publishActivity(db, new Date())))
  const all = await published()
  expect(all.filter(({ type }) => type === 'venue.added')).toHaveLength(venues.length)
  expect(all.filter(({ type }) => type === 'booking.confirmed')).toHaveLength(5)
})

test('after a long pause, at most a day is published at a time, and nothing is lost', async () => {
  const days = [1, 8, 20, 29]
  const venues = await someVenues(days.length)
  const daysAgo = (days: number) => new Date(hour.getTime() - days * 24 * 60 * MINUTE_MS)
  for (const [n, { id }] of venues.entries()) {
    await insertBookingEvent(id, 'booking.confirmed', daysAgo(days[n] ?? 0))
  }
  await insertOpenedSlot(venues[0]?.id, daysAgo(8))
  await db.query(
    `create table steps (length interval);
     create function note() returns trigger language plpgsql
       as $$
         begin
           insert into steps values (new.published_until - old.published_until);
           return new;
         end
       $$;
     create trigger noted after update on feed_clock for each row execute function note()`,
  )
  // No feed has been read for a year: hours beyond the feed's limit are skipped.
  await db.query(`update feed_clock set published_until = published_until - interval '1 year'`)
  await db.query('delete from steps')
  await publishActivity(db, new Date())
  const shown = (await published()).filter(({ type }) => type !== 'venue.added')
  expect(shown.map(({ type, hour: at }) => [type, at])).toEqual([
    ['booking.confirmed', daysAgo(1).toISOString()],
    ['slot.opened', daysAgo(8).toISOString()],
    ['booking.confirmed', daysAgo(8).toISOString()],
    ['booking.confirmed', daysAgo(20).toISOString()],
    ['booking.confirmed', daysAgo(29).toISOString()],
  ])
  const { rows } = await db.query(
    `select count(*)::int as steps, bool_and(length <= interval '24 h') as all_short from steps
     where length < interval '300 days'`,
  )
  expect(rows[0].all_short).toBe(true)
  expect(rows[0].steps).toBeGreaterThanOrEqual(29)
})

test('bookings leave the feed after 30 days, venues stay', async () => {
  const [venue] = await someVenues(1)
  await insertBookingEvent(venue.id, 'booking.confirmed', inHour(5))
  await publishActivity(db, new Date())
  expect(await publishedOf('booking.confirmed')).toHaveLength(1)
  await publishActivity(db, new Date(Date.now() + 31 * 24 * 60 * MINUTE_MS))
  expect(await publishedOf('booking.confirmed')).toEqual([])
  expect((await publishedOf('venue.added')).length).toBeGreaterThan(0)
})
