import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { type Agent, findSlot } from '../support/agent.ts'
import type { Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { runOnce } from '../support/scheduled-runs.ts'
import { test } from '../support/service.ts'
import { traces } from '../support/traces.ts'

let network: Service
let agent: Agent

test.beforeAll(async ({ service }) => {
  network = service
  agent = network.agent
})

describe('the booking workflow', () => {
  test('confirms with one fee and is readable in the Temporal UI', async () => {
    const { body, status } = await agent.post(
      '/api/bookings',
      await findSlot(agent, 'spa in Ubud', 1),
    )
    expect(status).toBe(201)
    expect(body.booking.place).toMatchObject({
      address: { street: expect.stringMatching(/^Jl\. /), locality: 'Ubud' },
      phone: expect.stringMatching(/^\+62/),
      directions_url: expect.stringMatching(/^https:/),
    })
    const handle = network.client.workflow.getHandle(bookingWorkflowId(body.booking.id))
    const described = await eventually('the first task of the workflow', async () => {
      const now = await handle.describe()
      return now.searchAttributes.BookingStatus && now
    })
    expect(described.status.name).toBe('RUNNING')
    expect(described.searchAttributes).toMatchObject({
      BookingStatus: ['confirmed'],
      VenueSlug: [body.booking.venue.slug],
      AccountId: [agent.accountId],
    })
    expect(await described.staticSummary()).toContain(body.booking.venue.name)
    expect(await traces(network.db, body.booking.id)).toMatchObject({
      steps: ['hold', 'confirm'],
      events: ['booking.held', 'booking.confirmed', 'fee.accrued'],
      fees: [{ kind: 'accrual', amount_minor: body.booking.fee.amount_minor }],
    })
  })

  test('keeps guest details out of its history', async () => {
    const slot = await findSlot(agent, 'restaurant in Canggu')
    const guest = { name: 'Putu Wirawan', phone: '+62 811 000 111', email: 'putu@example.org' }
    const notes = 'peanut allergy'
    const { body } = await agent.post('/api/bookings', { ...slot, guest, notes })
    const handle = network.client.workflow.getHandle(bookingWorkflowId(body.booking.id))
    const history = JSON.stringify(await handle.fetchHistory())
    for (const secret of [...Object.values(guest), notes]) expect(history).not.toContain(secret)
    const { rows } = await network.db.query(
      'select name, phone, email, notes from booking_guest where booking_id = $1',
      [body.booking.id],
    )
    expect(rows).toEqual([{ ...guest, notes }])
  })

  test('returns a refusal as data, with alternatives, and ends', async () => {
    const slot = await findSlot(agent, 'bar in Seminyak')
    const refused = await agent.post('/api/bookings', { ...slot, party_size: 1_000_000_000 })
    expect(refused).toMatchObject({ status: 422, body: { code: 'party_too_large' } })
    const handle = network.client.workflow.getHandle(bookingWorkflowId(refused.body.booking_id))
    expect(await handle.result()).toBe('refused: party_too_large')
    const read = await agent.get(`/api/bookings/${refused.body.booking_id}`)
    expect(read.body.booking).toMatchObject({ status: 'failed', reason_code: 'party_too_large' })
  })
})

test('retries a failing decision, and makes it once', async () => {
  const slot = await findSlot(agent, 'restaurant in Jimbaran')
  await network.db.query('alter table fee_entry add constraint broken check (false) not valid')
  const pending = await agent.post('/api/bookings', { ...slot, wait: 2 })
  expect(pending).toMatchObject({ status: 202, body: { status: 'pending' } })
  await network.db.query('alter table fee_entry drop constraint broken')
  const { id } = pending.body.booking
  await eventually('the decision', async () => {
    const { body } = await agent.get(`/api/bookings/${id}`)
    return body.booking.status === 'confirmed'
  })
  expect(await traces(network.db, id)).toMatchObject({
    steps: ['hold', 'confirm'],
    events: ['booking.held', 'booking.confirmed', 'fee.accrued'],
    fees: [{ kind: 'accrual' }],
  })
})

describe('a repeated request', () => {
  test('with the same key and body gets the same answer, and another body is refused', async () => {
    const slot = await findSlot(agent, 'restaurant in Sanur')
    const headers = { 'idempotency-key': randomUUID() }
    const first = await agent.post('/api/bookings', slot, headers)
    const again = await agent.post('/api/bookings', slot, headers)
    expect(again.body.booking).toEqual(first.body.booking)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const other = await agent.post('/api/bookings', { ...slot, party_size: 3 }, headers)
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
  })

  test('at the same moment is deduplicated', async () => {
    const slot = await findSlot(agent, 'bar in Canggu')
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => agent.post('/api/bookings', slot, headers)),
    )
    expect(new Set(answers.map(({ body }) => body.booking.id)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  test('without a key is deduplicated for 15 minutes and similar afterwards', async () => {
    const slot = { ...(await findSlot(agent, 'spa in Seminyak', 1)), also: false }
    const first = await agent.post('/api/bookings', slot)
    const again = await agent.post('/api/bookings', slot)
    expect(again.body).toMatchObject({ joined: true, booking: { id: first.body.booking.id } })
    await network.db.query(
      `update request set created_at = created_at - interval '15 minutes' where booking_id = $1`,
      [first.body.booking.id],
    )
    expect(await agent.post('/api/bookings', slot)).toMatchObject({
      status: 409,
      body: { code: 'similar_booking', booking_id: first.body.booking.id },
    })
    const shouted = { ...slot, venue_id: slot.venue_id.toUpperCase() }
    expect(await agent.post('/api/bookings', shouted)).toMatchObject({ status: 409 })
    const onPurpose = await agent.post('/api/bookings', { ...slot, guest_ref: 'the other guest' })
    expect(onPurpose.body.booking?.id).not.toBe(first.body.booking.id)
  })
})

describe('the sweep', () => {
  test('starts the workflow of a request whose process died before starting it', async () => {
    const slot = await findSlot(agent, 'gym', 1)
    const { body } = await agent.post('/api/bookings', slot)
    const lost = randomUUID()
    await network.db.query(
      `insert into request (booking_id, account_id, operation, body_hash, door, venue_id, slot_time,
         party_size, created_at, also)
       select $1, account_id, operation, body_hash, door, venue_id, slot_time, party_size,
         now() - interval '3 minutes', true
       from request where booking_id = $2`,
      [lost, body.booking.id],
    )
    await runOnce(network.client, 'sweep')
    const booking = await eventually('the decision', async () => {
      const read = await agent.get(`/api/bookings/${lost}`)
      return !['pending', 'held'].includes(read.body.booking.status) && read.body.booking
    })
    expect(booking).toMatchObject({ status: 'confirmed', slot_time: slot.slot_time })
  })
})
