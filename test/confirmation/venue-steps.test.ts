import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/base/durations.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import type { BookingStateStatement } from '../../src/confirmation/schema/venue-responses.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import { callVenue } from '../../src/confirmation/steps/call-venue.ts'
import { deleteConnector, upsertConnector } from '../../src/confirmation/store/connectors.ts'
import { claimOptionalVenueRequest } from '../../src/confirmation/store/venue-requests.ts'
import { insertStatedResponse } from '../../src/confirmation/store/venue-responses.ts'
import { openPool, type Pool, transaction } from '../../src/platform/database/sql.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { readableLog } from '../support/lines.ts'
import { testVenues } from '../support/no-test-venues.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { traces } from '../support/traces.ts'

const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
  const { rows } = await db.query(`select id from venue where category = 'restaurant'`)
  const connector = { url: 'https://venue.example/', secret: 'never opened here' }
  for (const { id } of rows) await upsertConnector(db, { venueId: id, ...connector }, new Date())
})

afterAll(async () => {
  await db?.end()
  await database?.drop()
})

/** A booking whose venue has been asked, and a clock in minutes since that request. */
async function askedBooking() {
  const start = await requestDaysAhead(db)
  const at = new Date()
  await decideBooking(db, start, stepDeps, at)
  await claimOptionalVenueRequest(db, start.bookingId)
  return { start, after: (minutes: number) => new Date(at.getTime() + minutes * MINUTE_MS) }
}

type Said = {
  status: BookingStateStatement['status']
  answered_at: Date
  revision?: number
  receivedAt?: Date
}

const say = ({ bookingId }: BookingStart, { receivedAt, ...said }: Said) =>
  insertStatedResponse(
    db,
    { id: `msg_${randomUUID()}`, receivedAt: receivedAt ?? said.answered_at },
    { type: 'booking.state', booking_id: bookingId, revision: 2, ...said },
  )

test('a withdrawal ends when the venue acknowledges it, whatever its clock', async () => {
  const { start, after } = await askedBooking()
  await say(start, { status: 'confirmed', answered_at: after(16) })
  const late = await applyVenueResponses(db, start, stepDeps, after(16))
  expect(late.state).toMatchObject({ status: 'expired', withdrawDue: true })
  const answer = { status: 'cancelled', answered_at: after(16), revision: 3 } as const
  await say(start, { ...answer, receivedAt: after(17) })
  await applyVenueResponses(db, start, stepDeps, after(17))
  const { booking } = await traces(db, start.bookingId)
  expect(booking).toMatchObject([{ status: 'expired', venue_sync: 'withdrawn', live: false }])
})

/** Adds the maximum number of statements for a booking, none of which changed anything. */
const fillStatements = ({ bookingId }: BookingStart) =>
  db.query(
    `insert into venue_response
       (booking_id, id, revision, status, answered_at, received_at, effect)
     select $1, 'msg_' || n, 2, 'confirmed', now() - n * interval '1 s', now(), 'superseded'
     from generate_series(1, 200) n`,
    [bookingId],
  )

test('a venue that has used up its statements can still acknowledge a withdrawal', async () => {
  const { start, after } = await askedBooking()
  await applyVenueResponses(db, start, stepDeps, after(16))
  await fillStatements(start)
  expect(await say(start, { status: 'confirmed', answered_at: after(17) })).toBe(false)
  expect(await say(start, { status: 'cancelled', answered_at: after(17) })).toBe(false)
  const answer = { status: 'cancelled', answered_at: after(17), revision: 3 } as const
  expect(await say(start, answer)).toBe(true)
  await applyVenueResponses(db, start, stepDeps, after(18))
  const { booking } = await traces(db, start.bookingId)
  expect(booking).toMatchObject([{ status: 'expired', venue_sync: 'withdrawn', live: false }])
})

test('a venue that has used up its statements can still acknowledge a change’s end', async () => {
  const { start, after } = await askedBooking()
  await fillStatements(start)
  await db.query(
    `update booking set status = 'confirmed', change_phase = 'restoring', change_revision = 5
     where id = $1`,
    [start.bookingId],
  )
  const answer = { status: 'confirmed', answered_at: after(17) } as const
  expect(await say(start, { ...answer, revision: 4 })).toBe(false)
  expect(await say(start, { ...answer, revision: 5 })).toBe(true)
})

test('a withdrawal that nobody acknowledges is given up 30 days after the slot', async () => {
  const { start, after } = await askedBooking()
  await applyVenueResponses(db, start, stepDeps, after(16))
  const daysLater = (days: number) => new Date(Date.parse(start.startsAt) + days * 1440 * MINUTE_MS)
  const before = await applyVenueResponses(db, start, stepDeps, daysLater(29.9))
  expect(before.state).toMatchObject({ status: 'expired', withdrawDue: true })
  const { state } = await applyVenueResponses(db, start, stepDeps, daysLater(30))
  expect(state).toMatchObject({ status: 'expired', nextActionAt: null })
  expect(state).not.toHaveProperty('withdrawDue')
  const { booking } = await traces(db, start.bookingId)
  expect(booking).toMatchObject([{ status: 'expired', venue_sync: 'given_up', live: false }])
  const { rows } = await db.query(
    'select by, why from timeline_entry where booking_id = $1 order by number desc limit 1',
    [start.bookingId],
  )
  expect(rows).toEqual([{ by: 'network', why: expect.stringContaining('30 days after its slot') }])
})

test('an unsignalled no is applied before completion: the fee is reversed', async () => {
  const { start, after } = await askedBooking()
  await say(start, { status: 'confirmed', answered_at: after(1) })
  const { state } = await applyVenueResponses(db, start, stepDeps, after(1))
  await say(start, { status: 'cancelled', answered_at: after(2) })
  await actWhenDue(db, start, stepDeps, new Date(state?.nextActionAt ?? ''))
  const { booking, fees } = await traces(db, start.bookingId)
  expect(booking).toMatchObject([{ status: 'cancelled', fee_status: 'reversed', live: false }])
  expect(fees).toMatchObject([{ kind: 'accrual' }, { kind: 'reversal' }])
})

test('a venue disconnected before the request has nothing to withdraw', async () => {
  const start = await requestDaysAhead(db)
  const at = new Date()
  await decideBooking(db, start, stepDeps, at)
  await transaction(db, (tx) => deleteConnector(tx, start.venueId))
  const { log } = readableLog()
  const outbound = { send: () => Promise.reject(new Error('sent')), close: async () => {} }
  const publicUrl = 'https://network.example'
  const deps = { db, log, outbound, sealer, publicUrl, count: () => {}, testVenues }
  const call = await callVenue(deps, start, new AbortController().signal)
  expect(call).toMatchObject({ heard: null, failure: 'the venue is no longer connected' })
  await applyVenueResponses(db, start, stepDeps, new Date(at.getTime() + 16 * MINUTE_MS))
  const { booking } = await traces(db, start.bookingId)
  expect(booking).toMatchObject([{ status: 'expired', venue_sync: 'not_sent', live: false }])
})
