import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Agent, findSlot } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { daily } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

const confirmed = {
  booking: [{ status: 'confirmed', fee_status: 'accrued', venue_sync: 'acknowledged', live: true }],
  steps: ['hold', 'ask', 'venue'],
  events: ['booking.held', 'booking.pending', 'booking.confirmed', 'fee.accrued'],
  fees: [{ kind: 'accrual' }],
  allocations: [{ kind: 'table', active: true }],
}

let network: Service
let agent: Agent
let venue: Simulator

beforeAll(async () => {
  network = await openService({}, { isScheduled: true })
  agent = network.agent
  venue = await openSimulator()
  const { rows } = await network.db.query(`select id from venue where category = 'restaurant'`)
  for (const { id } of rows) await connectVenue(network, id, venue)
})

afterAll(async () => {
  await network?.close()
  await venue?.close()
})

beforeEach(() => venue.clearScript())

/** A new booking each time, at the first restaurant with a free slot. */
const book = async (more: Record<string, unknown> = {}) => {
  const slot = await findSlot(agent, 'restaurant in Bali')
  return agent.post('/api/bookings', { ...slot, ...more }, { 'idempotency-key': randomUUID() })
}

const bookingOf = async (id: string) => (await agent.get(`/api/bookings/${id}`)).body.booking

const settled = (id: string, status: string) =>
  eventually(`the booking ${id} to be ${status}`, async () => {
    const booking = await bookingOf(id)
    return booking.status === status && booking
  })

/** Resolves once the venue has received every message. */
const synced = (id: string, sync: string) =>
  eventually(`the venue of ${id} to be ${sync}`, async () => {
    const { booking } = await traces(network.db, id)
    return booking[0]?.venue_sync === sync
  })

/** The requests to the venue, in order. */
const asked = async (id: string) => {
  const { history } = await venue.book(id)
  return history.map(({ type }: { type: string }) => type)
}

const onConfirm = (does: Record<string, unknown>) =>
  venue.script({ on: 'booking.confirm', do: does })

describe('a venue with a connector', () => {
  test('is asked once, and its yes confirms with one fee', async () => {
    const { status, body } = await book()
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'confirmed', booking: { fee: { status: 'accrued' } } })
    expect(await traces(network.db, body.booking.id)).toMatchObject(confirmed)
    expect(await venue.book(body.booking.id)).toMatchObject({ status: 'confirmed', revision: 2 })
    expect(await asked(body.booking.id)).toEqual(['booking.confirm'])
  })

  test('that declines leaves no booking, no fee and a free slot', async () => {
    await onConfirm({ answer: 'declined', reason: 'private party' })
    const asked = await findSlot(agent, 'restaurant in Bali')
    const { status, body } = await agent.post('/api/bookings', asked)
    expect(status).toBe(409)
    expect(body.code).toBe('venue_declined')
    expect(body.alternatives).toHaveLength(5)
    const refused = { venue_id: asked.venue_id, slot_time: asked.slot_time }
    for (const { venue: other, slot_time } of body.alternatives) {
      expect({ venue_id: other.id, slot_time }).not.toEqual(refused)
    }
    expect(await traces(network.db, body.booking_id)).toMatchObject({
      booking: [{ status: 'declined', reason_code: 'venue_declined', live: false }],
      events: ['booking.held', 'booking.pending', 'booking.declined'],
      fees: [],
      allocations: [{ active: false }],
    })
  })

  test('can take its time: the agent is told to retry, and a late yes counts', async () => {
    await onConfirm({ answer: 'pending' })
    const { status, body } = await book({ wait: 1 })
    expect(status).toBe(202)
    await settled(body.booking.id, 'pending')
    await venue.call(`/book/${body.booking.id}/confirm`, {})
    await settled(body.booking.id, 'confirmed')
    expect(await traces(network.db, body.booking.id)).toMatchObject(confirmed)
  })

  test('that says yes twice is charged once', async () => {
    await onConfirm({ repeat: 3, later: [{ status: 'confirmed', after_ms: 100 }] })
    const { body } = await book()
    const { id } = body.booking
    await eventually('every statement to be weighed', async () => {
      const { rows } = await network.db.query(
        'select effect from venue_response where booking_id = $1',
        [id],
      )
      return rows.length >= 2 && rows.every(({ effect }) => effect !== null)
    })
    const { fees, events } = await traces(network.db, id)
    expect({ fees: fees.length, events }).toEqual({ fees: 1, events: confirmed.events })
  })

  test('that says no after its yes cancels: the fee is reversed and the slot is free', async () => {
    await onConfirm({ later: [{ status: 'declined', after_ms: 300 }] })
    const { status, body } = await book()
    expect(status).toBe(201)
    const booking = await settled(body.booking.id, 'cancelled')
    expect(booking).toMatchObject({ reason_code: 'venue_cancelled', fee: { status: 'reversed' } })
    expect(await traces(network.db, booking.id)).toMatchObject({
      booking: [{ live: false }],
      events: [...confirmed.events, 'booking.cancelled', 'fee.reversed'],
      fees: [{ kind: 'accrual' }, { kind: 'reversal' }],
      allocations: [{ active: false }],
    })
  })

  test('that says yes after its no does not get the booking, and is told so', async () => {
    await onConfirm({ answer: 'declined', later: [{ status: 'confirmed', after_ms: 300 }] })
    const { body } = await book()
    expect(body.code).toBe('venue_declined')
    await synced(body.booking_id, 'withdrawn')
    expect(await venue.book(body.booking_id)).toMatchObject({ status: 'cancelled' })
    expect(await traces(network.db, body.booking_id)).toMatchObject({ fees: [] })
  })

  test('whose older no arrives after its newer yes keeps the booking', async () => {
    const late = { status: 'declined', after_ms: 300, backdate_ms: 60_000 }
    await onConfirm({ later: [late] })
    const { body } = await book()
    await eventually('the old statement to be weighed', async () => {
      const { rows } = await network.db.query(
        `select effect from venue_response where booking_id = $1 and status = 'declined'`,
        [body.booking.id],
      )
      return rows[0]?.effect === 'superseded'
    })
    expect(await bookingOf(body.booking.id)).toMatchObject({ status: 'confirmed' })
  })

  test('that can no longer honour a booking ends it', async () => {
    const { body } = await book()
    await venue.call(`/book/${body.booking.id}/cancel`, { reason: 'the kitchen is flooded' })
    const booking = await settled(body.booking.id, 'cancelled')
    expect(booking.fee).toMatchObject({ status: 'reversed', amount_minor: 0 })
  })
})

describe('a lost response', () => {
  test.each(daily(['crash_during', 'crash_before', 'crash_after']))(
    'by %s is requested again, and books once',
    async (fail) => {
      await onConfirm({ fail, exit: true })
      const booked = book({ wait: 60 })
      await eventually('the crash', async () => venue.program().process.exitCode === 70)
      await venue.restart()
      const { status, body } = await booked
      expect(status).toBe(201)
      expect(await traces(network.db, body.booking.id)).toMatchObject(confirmed)
      expect(await venue.book(body.booking.id)).toMatchObject({ status: 'confirmed', revision: 2 })
      const after =
        fail === 'crash_before' ? ['booking.status', 'booking.confirm'] : ['booking.status']
      expect((await asked(body.booking.id)).slice(-after.length)).toEqual(after)
    },
  )

  test.each(daily(['garbage', 'huge', 'status_500', 'redirect'], 2))(
    'with %s is requested again',
    async (fail) => {
      await onConfirm({ fail })
      const { status, body } = await book({ wait: 60 })
      expect(status).toBe(201)
      expect(await traces(network.db, body.booking.id)).toMatchObject(confirmed)
    },
  )

  test('is found in the books of the venue once they can be read again', async () => {
    await onConfirm({ fail: 'crash_after' })
    await venue.script({ on: 'booking.status', do: { fail: 'status_503' } })
    const { body } = await book({ wait: 60 })
    expect(body.booking).toMatchObject({ status: 'confirmed', fee: { status: 'accrued' } })
    expect(await asked(body.booking.id)).toEqual(['booking.confirm', 'booking.status'])
  })

  const faults = [
    { sign: 'wrong_signature' },
    { sign: 'wrong_secret' },
    { sign: 'old_timestamp' },
    { sign: 'other_id' },
    { sign: 'other_message' },
    { sign: 'unsigned' },
    { revision_offset: -1 },
  ]
  test.each(daily(faults, 2))(
    'because it is forged or about something else (%o) is ignored',
    async (fault) => {
      await onConfirm({ answer: 'declined', ...fault })
      await venue.script({ on: 'booking.status', do: { answer: 'confirmed', ...fault } })
      await venue.script({ on: 'booking.status', do: { answer: 'pending' }, times: 9 })
      const { id } = (await book({ wait: 0 })).body.booking
      await eventually('two answers to be ignored', async () =>
        (await asked(id).catch(() => [])).slice(2).includes('booking.status'),
      )
      expect(await bookingOf(id)).toMatchObject({ status: 'pending', fee: { status: 'expected' } })
      expect(await traces(network.db, id)).toMatchObject({
        events: ['booking.held', 'booking.pending'],
        allocations: [{ active: true }],
      })
    },
  )
})

test('a yes posted during the call to the venue counts at once', async () => {
  await onConfirm({ fail: 'hang' })
  const slot = await findSlot(agent, 'restaurant in Bali')
  const headers = { 'idempotency-key': randomUUID() }
  const booked = agent.post('/api/bookings', { ...slot, wait: 60 }, headers)
  const id = await eventually('the call', async () => {
    const { rows } = await network.db.query(
      `select b.id from booking b join request r on r.booking_id = b.id
       where r.booking_id = (select subject_id from idempotency_key where key = $1)
         and b.venue_sync = 'sent'`,
      [headers['idempotency-key']],
    )
    return rows[0]?.id as string | undefined
  })
  const body = JSON.stringify({
    ...{ type: 'booking.state', booking_id: id, revision: 2, status: 'confirmed' },
    answered_at: new Date().toISOString(),
  })
  const messageId = `msg_${randomUUID()}`
  await fetch(`${network.url}/api/venue-connector/${slot.venue_id}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': new Webhook(venue.secret).sign(messageId, new Date(), body),
    },
    body,
  })
  expect(await booked).toMatchObject({ status: 201, body: { status: 'confirmed' } })
  // The call, which the venue would never have answered, is abandoned.
  const { events } = await network.client.workflow.getHandle(`booking/${id}`).fetchHistory()
  expect(events?.some((event) => event.activityTaskCancelRequestedEventAttributes)).toBe(true)
})

describe('the mirror', () => {
  test('shows only what the venue has free, and confirm agrees', async () => {
    const slot = await findSlot(agent, 'restaurant in Ubud')
    const [date] = slot.slot_time.split('T')
    const shown = async () => {
      const { body } = await agent.get(`/api/venues/${slot.venue_id}/availability?date=${date}`)
      return body.days[0].times.map((time: string) => `${date}T${time}:00`) as string[]
    }
    expect(await shown()).toContain(slot.slot_time)
    await agent.post('/api/bookings', slot)
    await venue.call('/full', { venue_id: slot.venue_id, slot_times: [slot.slot_time] })
    await eventually('the slot to be gone', async () => !(await shown()).includes(slot.slot_time))
    const refused = await agent.post('/api/bookings', { ...slot, guest_ref: 'another' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'slot_unavailable' } })
  })

  test('is read at least once a minute', async () => {
    const isRead = async () => {
      const { rows } = await network.db.query(
        `select count(*) filter (where read_at > now() - interval '1 minute') as fresh,
           count(distinct m.venue_id) as mirrored, count(distinct c.venue_id) as connected
         from connector c left join mirror_day m using (venue_id)`,
      )
      const { fresh, mirrored, connected } = rows[0]
      return connected > 0 && mirrored === connected && fresh > 0
    }
    await eventually('the first reading', isRead, 110_000)
  })
})
