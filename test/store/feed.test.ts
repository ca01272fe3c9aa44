import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../../src/store/accounts.ts'
import { selectActivity } from '../../src/store/feed.ts'
import { openPool, type Pool } from '../../src/store/sql.ts'
import { createDatabase } from '../support/database.ts'

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

const at = new Date()
const since = new Date(at.getTime() - 3_600_000)

/** A booking at the venue with an event of this type, by an account of its own. */
async function insertBookingEvent(venueId: string, type: string) {
  const accountId = randomUUIDv7()
  const bookingId = randomUUIDv7()
  const offeringId = randomUUIDv7()
  await insertAccount(db, { id: accountId, name: 'test', tier: 'pro', at })
  await db.query(
    `with o as (
       insert into offering (id, venue_id, name, strategy, position, rule_version)
       select $3, $4, 'table', 'exclusive', coalesce(max(position), 0) + 1, 1 from offering
     ), o_rules as (
       insert into offering_rules (offering_id, version, rules, created_at) values ($3, 1, '{}', $6)
     ), r as (
       insert into request (booking_id, account_id, operation, body_hash, door, venue_id, slot_time,
         party_size, created_at)
       values ($2, $1, 'confirm', '', 'rest', $4, '2027-01-15T19:00', 2, $6)
     ), b as (
       insert into booking (id, account_id, venue_id, offering_id, rule_version, status, revision,
         slot_time, starts_at, ends_at, party_size, cancel_until, created_at, updated_at)
       values ($2, $1, $4, $3, 1, 'failed', 1, '2027-01-15T19:00', $6, $6::timestamptz + interval '1 h',
         2, $6, $6, $6)
     ), t as (
       insert into transition (booking_id, transition_id, result, at) values ($2, 'test', '{}', $6)
     )
     insert into event (account_id, number, id, type, booking_id, transition_id, data, created_at)
     values ($1, 1, $7, $5, $2, 'test', '{}', $6)`,
    [accountId, bookingId, offeringId, venueId, type, at, randomUUIDv7()],
  )
}

test('bookings of a venue in one hour show once, by venue, area and hour', async () => {
  const { rows } = await db.query(
    'select id, slug, name, area_slug from venue order by slug limit 2',
  )
  const [booked, failed] = rows
  await insertBookingEvent(booked.id, 'booking.confirmed')
  await insertBookingEvent(booked.id, 'booking.confirmed')
  await insertBookingEvent(failed.id, 'booking.failed')
  const activity = await selectActivity(db, { since, after: null, limit: 1000 })
  const hour = new Date(at)
  hour.setUTCMinutes(0, 0, 0)
  expect(activity.filter(({ type }) => type === 'booking.confirmed')).toEqual([
    {
      type: 'booking.confirmed',
      venue_slug: booked.slug,
      venue_name: booked.name,
      area: booked.area_slug,
      hour,
    },
  ])
})
