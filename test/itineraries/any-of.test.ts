import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Agent, beyondHorizon, findSlots, inThreeDays } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

let service: Service
let agent: Agent
let venue: Simulator

beforeAll(async () => {
  service = await openService()
  agent = service.agent
  venue = await openSimulator()
  const { rows } = await service.db.query(`select id from venue where category = 'restaurant'`)
  for (const { id } of rows) await connectVenue(service, id, venue)
})
afterAll(async () => {
  await service?.close()
  await venue?.close()
})
beforeEach(() => venue.clearScript())

const once = () => ({ 'idempotency-key': randomUUID() })

test('the first available choice is booked, and the others are never held', async () => {
  const [first, second, third] = await findSlots(agent, 'spa in Bali', 3)
  const asked = { ...beyondHorizon(first as any), alternatives: [second, third] }
  const key = once()
  const { status, body } = await agent.post('/api/bookings', { ...asked, wait: 60 }, key)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    status: 'confirmed',
    choice: 2,
    booking: { status: 'confirmed', venue: { id: second?.venue_id }, fee: { status: 'accrued' } },
    choices: [
      { choice: 1, status: 'refused', code: 'beyond_horizon' },
      { choice: 2, status: 'confirmed', code: null },
      { choice: 3, status: 'not_tried', booking_id: null },
    ],
  })
  expect(body.booking.group_id).toBeTruthy()
  const again = await agent.post('/api/bookings', { ...asked, wait: 60 }, key)
  expect(again).toMatchObject({ status: 200, body: { ...body, replayed: true } })
  const { rows } = await service.db.query('select status from booking where group_id = $1', [
    body.booking.group_id,
  ])
  expect(rows).toEqual([{ status: 'confirmed' }])
  const { rows: events } = await service.db.query(
    `select type, data #>> '{booking,group_id}' as group_id from event where booking_id = $1
     and type like 'booking.%' order by number`,
    [body.booking.id],
  )
  expect(events).toEqual([
    { type: 'booking.held', group_id: body.booking.group_id },
    { type: 'booking.confirmed', group_id: body.booking.group_id },
  ])
})

test('when no choice is available, the refusal explains each, and nothing remains', async () => {
  const [first, second] = (await findSlots(agent, 'spa in Bali', 2)).map(beyondHorizon)
  const guest = { name: 'Ayu' }
  const asked = { ...first, guest, alternatives: [second] }
  const { status, body } = await agent.post('/api/bookings', { ...asked, wait: 60 }, once())
  expect({ status, body }).toMatchObject({
    status: 409,
    body: {
      code: 'no_alternative_free',
      choices: [{ code: 'beyond_horizon' }, { code: 'beyond_horizon' }],
    },
  })
})

test('each alternative is listed once, though two choices failed for the same reason', async () => {
  const [spa] = await findSlots(agent, 'spa in Bali', 1)
  const atNight = (time: string) => ({ ...spa, slot_time: `${inThreeDays()}T${time}` })
  const asked = { ...atNight('04:00:00'), alternatives: [atNight('04:30:00')] }
  const { body } = await agent.post('/api/bookings', { ...asked, wait: 60 }, once())
  expect(body).toMatchObject({
    code: 'no_alternative_free',
    choices: [{ code: 'venue_closed' }, { code: 'venue_closed' }],
  })
  const times = body.alternatives.map(({ venue, slot_time }: any) => `${venue.id} ${slot_time}`)
  expect(times.length).toBeGreaterThan(1)
  expect(new Set(times).size).toBe(times.length)
})

test('a venue is given time to respond before the next choice is tried', async () => {
  await venue.script({ on: 'booking.confirm', do: { answer: 'pending' } })
  const [first] = await findSlots(agent, 'restaurant in Bali', 1)
  const [second] = await findSlots(agent, 'gym in Bali', 1)
  const asked = { ...first, guest: { name: 'Ayu' }, alternatives: [second] }
  const key = once()
  const { status, body } = await agent.post('/api/bookings', { ...asked, wait: 1 }, key)
  expect(status).toBe(202)
  expect(body).toMatchObject({
    status: 'pending',
    booking: { venue: { id: first?.venue_id } },
    choices: [{ choice: 1 }, { choice: 2, status: 'not_tried' }],
  })
  const { id } = body.booking
  await eventually('the venue to be asked', () => venue.book(id).catch(() => undefined))
  await venue.call(`/book/${id}/cancel`, {})
  const answer = await agent.post('/api/bookings', { ...asked, wait: 60 }, key)
  expect(answer.body).toMatchObject({
    status: 'confirmed',
    choice: 2,
    choices: [{ status: 'declined', code: 'venue_declined' }, { status: 'confirmed' }],
  })
  const left = await traces(service.db, id)
  expect(left).toMatchObject({ fees: [], booking: [{ status: 'declined', live: false }] })
})

test('cancelling the pending choice stops the other choices too', async () => {
  await venue.script({ on: 'booking.confirm', do: { answer: 'pending' } })
  const [first] = await findSlots(agent, 'restaurant in Bali', 1)
  const [second] = await findSlots(agent, 'gym in Bali', 1)
  const asked = { ...first, alternatives: [second] }
  const key = once()
  const { body } = await agent.post('/api/bookings', { ...asked, wait: 1 }, key)
  const cancelled = await agent.post(`/api/bookings/${body.booking.id}/cancel`, {})
  expect(cancelled.body.status).toBe('cancelled')
  const answer = await agent.post('/api/bookings', { ...asked, wait: 60 }, key)
  expect(answer).toMatchObject({
    status: 409,
    body: {
      code: 'booking_cancelled',
      choices: [{ status: 'cancelled' }, { status: 'not_tried' }],
    },
  })
})

test('without an idempotency key, the same choices are deduplicated', async () => {
  const [first, second] = await findSlots(agent, 'bar in Bali', 2)
  const asked = { ...first, alternatives: [second] }
  const [one, two] = await Promise.all([
    agent.post('/api/bookings', { ...asked, wait: 60 }),
    agent.post('/api/bookings', { ...asked, wait: 60 }),
  ])
  expect(one.body.booking.id).toBe(two.body.booking.id)
  expect([one.body.joined, two.body.joined]).toContain(true)
})
