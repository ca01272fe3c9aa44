import { randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { connectorContext, upsertConnector } from '../../src/confirmation/store/connectors.ts'
import { type Doors, jsonOf, openDoors } from '../support/open-doors.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
let doors: Doors
let start: BookingStart

beforeAll(async () => {
  doors = await openDoors()
  const { rows } = await doors.db.query(`select id from venue where category = 'restaurant'`)
  for (const { id } of rows) await connect(id)
  start = await requestDaysAhead(doors.db)
  await decideBooking(doors.db, start, stepDeps, new Date())
})

afterAll(() => doors?.close())

const connect = (venueId: string, { db, sealer } = doors) =>
  upsertConnector(
    db,
    {
      venueId,
      url: 'http://127.0.0.1:9/',
      secret: sealer.seal(secret, connectorContext(venueId)),
    },
    new Date(),
  )

const state = (more: object = {}) => ({
  type: 'booking.state',
  booking_id: start.bookingId,
  revision: 2,
  status: 'confirmed',
  answered_at: '2026-01-20T08:00:01.250Z',
  ...more,
})

/** `offsetMs`: how far the sender's clock is off. */
type Sent = {
  url?: string
  venueId?: string
  id?: string
  offsetMs?: number
  key?: string
  headers?: object
}

/** Posts a message as a venue would, signed by the standard's library. */
const post = async (message: unknown, sent: Sent = {}) => {
  const { url = doors.url, venueId = start.venueId } = sent
  const { id = `msg_${randomUUID()}`, offsetMs = 0, key = secret } = sent
  const at = new Date(Date.now() + offsetMs)
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const response = await fetch(`${url}/api/venue-connector/${venueId}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign(id, at, body),
      ...sent.headers,
    },
    body,
  })
  return { status: response.status, body: await jsonOf(response) }
}

const statements = async () => {
  const { rows } = await doors.db.query(
    'select id, status, effect from venue_response where booking_id = $1 order by received_at',
    [start.bookingId],
  )
  return rows
}

describe('the venue door', () => {
  test('stores a statement, signals the booking, and returns its state', async () => {
    const id = 'msg_first'
    const told = doors.engine.told.length
    const { status, body } = await post(state(), { id })
    expect({ status, body }).toEqual({
      status: 200,
      body: { received: true, booking_id: start.bookingId, booking_status: 'pending' },
    })
    expect(await statements()).toEqual([{ id, status: 'confirmed', effect: null }])
    expect(doors.engine.told.slice(told)).toEqual([start])
  })

  test('counts a repeated message once', async () => {
    const id = `msg_${randomUUID()}`
    await post(state(), { id })
    const before = await statements()
    expect(await post(state(), { id })).toMatchObject({ status: 200 })
    expect(await statements()).toEqual(before)
  })

  test('stores a statement even when the booking cannot be signalled', async () => {
    const id = `msg_${randomUUID()}`
    doors.engine.isDown = true
    const later = state({ answered_at: '2026-11-20T08:00:02.000Z' })
    expect(await post(later, { id })).toMatchObject({ status: 200 })
    doors.engine.isDown = false
    expect((await statements()).map((row) => row.id)).toContain(id)
    expect(doors.logged()).toContain('the sweep will deliver')
  })

  test.each([
    ['another secret', { key: `whsec_${randomBytes(32).toString('base64')}` }],
    ['a timestamp 301 s old', { offsetMs: -302_000 }],
    ['a timestamp more than 300 s ahead', { offsetMs: 360_000 }],
    ['the id of another message', { headers: { 'webhook-id': 'msg_other' } }],
    ['no signature', { headers: { 'webhook-signature': '' } }],
    ['a signature of another version', { headers: { 'webhook-signature': 'v2,AAAA' } }],
    ['an id with a dot', { headers: { 'webhook-id': 'msg.1' } }],
    ['an overlong id', { id: `msg_${'a'.repeat(300)}` }],
  ])('refuses a message with %s', async (_, sent: Sent) => {
    const before = await statements()
    const { status, body } = await post(state(), sent)
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'bad_signature' })
    expect(await statements()).toEqual(before)
  })

  test.each([
    ['not JSON', '{', 400, 'malformed_json'],
    ['an unknown type', { type: 'booking.confirm' }, 400, 'invalid_request'],
    ['no status', () => state({ status: undefined }), 400, 'invalid_request'],
    [
      'a local answered_at',
      () => state({ answered_at: '2026-01-20T08:00:01' }),
      400,
      'invalid_request',
    ],
    [
      'an answered_at ten minutes ahead',
      () => state({ answered_at: new Date(Date.now() + 600_000).toISOString() }),
      400,
      'invalid_request',
    ],
    ['a fractional revision', () => state({ revision: 1.5 }), 400, 'invalid_request'],
    ['an overlong reference', () => state({ reference: 'x'.repeat(101) }), 400, 'invalid_request'],
    ['an unknown booking', () => state({ booking_id: randomUUID() }), 404, 'booking_not_found'],
  ])('refuses %s with a clear error', async (_, message, status, code) => {
    const answer = await post(typeof message === 'function' ? message() : message)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code })
  })

  test('does not let a venue reach another venue’s bookings', async () => {
    const { rows } = await doors.db.query(
      `select venue_id from connector where venue_id <> $1 limit 1`,
      [start.venueId],
    )
    const answer = await post(state(), { venueId: rows[0].venue_id })
    expect(answer).toMatchObject({ status: 404, body: { code: 'booking_not_found' } })
    const { rows: auto } = await doors.db.query(
      `select id from venue where category = 'spa' limit 1`,
    )
    const unconnected = await post(state(), { venueId: auto[0].id })
    expect(unconnected).toMatchObject({ status: 404, body: { code: 'venue_not_found' } })
    expect(await post(state(), { venueId: 'nonsense' })).toMatchObject({ status: 404 })
  })

  test('stores only the latest availability', async () => {
    const slots = [{ slot_time: '2026-12-24T19:00:00', party_min: 1, party_max: 4 }]
    const free = (more: object) => ({
      type: 'availability.state',
      venue_id: start.venueId,
      from: '2026-12-24',
      to: '2026-12-25',
      as_of: '2026-01-20T08:00:00.000Z',
      slots,
      ...more,
    })
    expect(await post(free({}))).toEqual({ status: 200, body: { received: true } })
    await post(free({ as_of: '2026-01-20T07:00:00.000Z', slots: [] }))
    const { rows } = await doors.db.query(
      'select date, slots from mirror_day where venue_id = $1 order by date',
      [start.venueId],
    )
    expect(rows).toEqual([
      { date: '2026-12-24', slots },
      { date: '2026-12-25', slots: [] },
    ])
    for (const wrong of [
      { to: '2027-01-24' },
      { to: '2026-12-23' },
      { from: '0000-01-01', to: '0000-01-02', slots: [] },
      { as_of: '2999-01-01T00:00:00.000Z' },
      { venue_id: randomUUID() },
      { slots: [{ slot_time: '2026-12-26T19:00:00', party_min: 1, party_max: 4 }] },
      { slots: [{ slot_time: '2026-12-24T19:00:00Z', party_min: 1, party_max: 4 }] },
      { slots: [{ slot_time: '2026-12-24T19:00:00', party_min: 5, party_max: 4 }] },
    ]) {
      expect(await post(free(wrong))).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      })
    }
  })

  test('keeps secrets and guests out of the log', () => {
    expect(doors.logged()).not.toContain(secret)
  })
})

test('a burst of messages is accepted, even from where a stranger used up the limit', async () => {
  const strict = await openDoors({ OPEN_REQUESTS_PER_MINUTE: '3' })
  try {
    const { url } = strict
    const { rows } = await strict.db.query('select id from venue limit 1')
    const venueId = rows[0].id as string
    await connect(venueId, strict)
    const unknown = state({ booking_id: randomUUID() })
    const burst = async () => {
      const sent = Array.from({ length: 5 }, () => post(unknown, { url, venueId }))
      return new Set((await Promise.all(sent)).map(({ body }) => body.code))
    }
    expect(await burst()).toEqual(new Set(['booking_not_found']))
    const forged = { url, venueId, headers: { 'webhook-signature': 'v1,AAAA' } }
    const strange = [forged, { url, venueId: randomUUID() }, { url, venueId: 'no-uuid' }, forged]
    const refused = []
    for (const sent of strange) refused.push((await post(unknown, sent)).body.code)
    expect(refused).toEqual(['bad_signature', 'venue_not_found', 'venue_not_found', 'rate_limited'])
    expect(await burst()).toEqual(new Set(['booking_not_found']))
  } finally {
    await strict.close()
  }
})
