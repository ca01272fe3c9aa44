import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Agent, beyondHorizon, findSlots } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
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
const onConfirm = (does: Record<string, unknown>) =>
  venue.script({ on: 'booking.confirm', do: does })

/** A treatment, dinner at a venue with a connector, and a class. */
const evening = async () => {
  const [spa] = await findSlots(agent, 'spa in Bali', 1)
  const [dinner] = await findSlots(agent, 'restaurant in Bali', 1)
  const [gym] = await findSlots(agent, 'gym in Bali', 1)
  return [spa, dinner, gym]
}
const make = (parts: unknown, more: Record<string, unknown> = {}, key = once()) =>
  agent.post('/api/itineraries', { parts, wait: 60, ...more }, key)

const bookingsOf = (parts: Record<string, any>[]) =>
  Promise.all(parts.map(({ booking_id }) => traces(service.db, booking_id)))

const read = async (id: string) => (await agent.get(`/api/itineraries/${id}`)).body.itinerary

const occupied = async (id: string) => {
  const { rows } = await service.db.query(
    `select b.status from booking b where b.group_id = $1
     and b.status in ('held', 'pending', 'offered', 'confirmed')`,
    [id],
  )
  return rows
}

test('all parts are booked after the last yes, each with one fee and its own policy', async () => {
  const key = once()
  const parts = await evening()
  const guest = { name: 'Ayu' }
  const { status, body } = await make(parts, { guest }, key)
  expect({ status, body }).toMatchObject({ status: 201, body: { status: 'confirmed' } })
  const { itinerary } = body
  expect(itinerary.parts).toHaveLength(3)
  for (const { booking } of itinerary.parts) {
    expect(booking).toMatchObject({ status: 'confirmed', group_id: itinerary.id })
    expect(booking.fee.status).toBe('accrued')
  }
  const [spa, dinner, gym] = await bookingsOf(itinerary.parts)
  const auto = ['booking.held', 'booking.confirmed', 'fee.accrued']
  expect(spa?.events).toEqual(auto)
  expect(gym?.events).toEqual(auto)
  expect(dinner?.events).toEqual([
    'booking.held',
    'booking.pending',
    'booking.confirmed',
    'fee.accrued',
  ])
  expect(dinner?.steps.at(-1)).toBe('settle')
  for (const one of [spa, dinner, gym]) expect(one?.fees).toMatchObject([{ kind: 'accrual' }])
  const again = await make(parts, { guest }, key)
  expect(again).toMatchObject({ status: 200, body: { replayed: true, itinerary } })

  const cancelled = await agent.post(`/api/itineraries/${itinerary.id}/cancel`, { wait: 60 })
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  for (const { booking } of cancelled.body.itinerary.parts) {
    expect(booking).toMatchObject({ status: 'cancelled', cancelled_by: 'agent' })
    const isFree = Date.now() < Date.parse(booking.cancel_until)
    expect(booking.fee.status).toBe(isFree ? 'reversed' : 'accrued')
  }
  const twice = await agent.post(`/api/itineraries/${itinerary.id}/cancel`, {})
  expect(twice.body).toMatchObject({ status: 'cancelled' })
})

test('an itinerary can be cancelled even after each of its parts was cancelled', async () => {
  const { body } = await make(await evening())
  for (const { booking } of body.itinerary.parts) {
    await agent.post(`/api/bookings/${booking.id}/cancel`, { wait: 60 })
  }
  const cancelled = await agent.post(`/api/itineraries/${body.itinerary.id}/cancel`, { wait: 60 })
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } })
})

test('when one venue declines, nothing is charged and the network cancels the rest', async () => {
  const [spa] = await findSlots(agent, 'spa in Bali', 1)
  const [first, second] = await findSlots(agent, 'restaurant in Bali', 2)
  await venue.script([
    { on: 'booking.confirm', venue_id: first?.venue_id, do: {} },
    {
      on: 'booking.confirm',
      venue_id: second?.venue_id,
      do: { answer: 'pending', later: [{ status: 'declined', after_ms: 8_000 }] },
    },
  ])
  const { status, body } = await make([spa, first, second])
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { code: 'itinerary_not_possible', part: 3, reason: 'venue_declined' },
  })
  const made = await read(body.itinerary_id)
  expect(made.status).toBe('failed')
  expect(made.parts).toMatchObject([
    { status: 'released' },
    { status: 'cancelled', booking: { cancelled_by: 'network', fee: { status: 'none' } } },
    { status: 'declined', code: 'venue_declined' },
  ])
  for (const left of await bookingsOf(made.parts)) {
    expect(left.fees).toEqual([])
    expect([...left.allocations, ...left.places].some(({ active }) => active)).toBe(false)
  }
  await eventually('the venue to know that it is over', async () => {
    const { status: known } = await venue.book(made.parts[1].booking_id)
    return known === 'cancelled'
  })
})

test('nothing is held when one part is unavailable', async () => {
  const parts = await evening()
  const { status, body } = await make([parts[0], parts[1], beyondHorizon(parts[2] as any)])
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { code: 'itinerary_not_possible', part: 3, reason: 'beyond_horizon' },
  })
  expect(await occupied(body.itinerary_id)).toEqual([])
  const made = await read(body.itinerary_id)
  await expect(venue.book(made.parts[1].booking_id)).rejects.toThrow('404')
})

test('holds of an itinerary do not count as account holds and cannot be changed', async () => {
  await onConfirm({ answer: 'pending' })
  const parts = await evening()
  const { status, body } = await make(parts, { wait: 2 })
  expect(status).toBe(202)
  const { itinerary } = body
  await eventually(
    'the venue to be asked',
    async () => (await read(itinerary.id)).status === 'asking',
  )
  const spa = (await read(itinerary.id)).parts[0].booking
  expect(Date.parse(spa.hold_until)).toBeGreaterThan(Date.parse(itinerary.answer_by))
  const { rows } = await service.db.query('select live from hold_counter where account_id = $1', [
    agent.accountId,
  ])
  expect(rows[0]?.live ?? 0).toBe(0)
  const refused = { status: 409, body: { code: 'part_of_itinerary' } }
  expect(await agent.post('/api/bookings', { hold_id: spa.id })).toMatchObject(refused)
  expect(await agent.post(`/api/holds/${spa.id}/extend`, {})).toMatchObject(refused)

  const cancelled = await agent.post(`/api/itineraries/${itinerary.id}/cancel`, { wait: 60 })
  expect(cancelled.body).toMatchObject({
    status: 'cancelled',
    itinerary: { code: 'booking_cancelled' },
  })
  expect(await occupied(itinerary.id)).toEqual([])
  const { rows: live } = await service.db.query(
    `select count(*)::int as n from fee_entry f join booking b on b.id = f.booking_id
     where b.group_id = $1`,
    [itinerary.id],
  )
  expect(live).toEqual([{ n: 0 }])
})

nightly('an itinerary ends when a venue misses the deadline, and holds nothing', async () => {
  await onConfirm({ answer: 'pending' })
  const parts = await evening()
  const answer_by = new Date(Date.now() + 15_000).toISOString()
  const { status, body } = await make(parts, { answer_by })
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { code: 'itinerary_not_possible', part: 2, reason: 'venue_no_answer' },
  })
  expect(await occupied(body.itinerary_id)).toEqual([])
})

test('a part that its agent releases undoes the rest', async () => {
  await onConfirm({ answer: 'pending' })
  const { body } = await make(await evening(), { wait: 1 })
  const { id } = body.itinerary
  await eventually('the venue to be asked', async () => (await read(id)).status === 'asking')
  const made = await read(id)
  const [spa, dinner] = made.parts
  await eventually('the dinner to be known there', () =>
    venue.book(dinner.booking_id).catch(() => undefined),
  )
  await agent.post(`/api/holds/${spa.booking_id}/release`, {})
  await venue.call(`/book/${dinner.booking_id}/confirm`, {})
  const over = await eventually('the end', async () => {
    const now = await read(id)
    return now.status === 'failed' && now
  })
  expect(over).toMatchObject({ code: 'itinerary_not_possible' })
  expect(await occupied(id)).toEqual([])
})

test('an account has at most five itineraries in progress, even with eight at once', async () => {
  await venue.script({ on: 'booking.confirm', do: { answer: 'pending' }, times: 20 })
  const [spa] = await findSlots(agent, 'gym in Bali', 1, 1)
  const dinners = await findSlots(agent, 'restaurant in Bali', 8)
  const answers = await Promise.all(dinners.map((dinner) => make([spa, dinner], { wait: 0 })))
  const codes = answers.map(({ body }) => body.code ?? 'ok')
  expect(codes.toSorted()).toEqual([...Array(3).fill('itinerary_limit'), ...Array(5).fill('ok')])
  const made = answers.filter(({ status }) => status === 202)
  await Promise.all(
    made.map(({ body }) =>
      agent.post(`/api/itineraries/${body.itinerary.id}/cancel`, { wait: 60 }),
    ),
  )
  for (const { body } of made) expect((await read(body.itinerary.id)).status).toBe('cancelled')
})
