import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTestVenue, openTestClock, slotAfter, subscribe } from '../support/clocks.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { connectVenue, openSimulator } from '../support/venues.ts'

const DAY_MS = 86_400_000

let service: Service

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const statusOf = async (agent: { get: Service['agent']['get'] }, id: string) =>
  (await agent.get(`/api/bookings/${id}`)).body.booking.status

test('a hold ends when its clock has passed its end, and not before', async () => {
  const clock = await openTestClock(service)
  const venue = await addTestVenue(service.db)
  const { body } = await clock.agent.post('/api/bookings/hold', slotAfter(venue, 5, Date.now()))
  const { id } = body.booking
  await clock.advance({ by: 'PT4M' })
  expect(await statusOf(clock.agent, id)).toBe('held')
  await clock.advance({ by: 'PT2M' })
  expect(await statusOf(clock.agent, id)).toBe('expired')
})

test('a person who does not answer is reminded, and the request expires', async () => {
  const clock = await openTestClock(service)
  const venue = await addTestVenue(service.db, [{}], { confirmMode: 'request' })
  const { receiver } = await subscribe(clock.agent)
  const slot = slotAfter(venue, 5, Date.now())
  const { body } = await clock.agent.post('/api/bookings', { ...slot, wait: 5 })
  expect(body.status).toBe('pending')
  await clock.advance({ by: 'P4D' })
  expect(await statusOf(clock.agent, body.booking.id)).toBe('expired')
  const types = receiver.received.map((request) => request.body.type)
  expect(types.at(-1)).toBe('booking.expired')
  await receiver.close()
})

test('a silent venue system lets a booking expire at its deadline', async () => {
  const simulator = await openSimulator()
  const clock = await openTestClock(service)
  const venue = await addTestVenue(service.db, [{}], { confirmMode: 'http' })
  await connectVenue(service, venue.id, simulator)
  const hangs = { do: { fail: 'hang' }, times: 99 }
  await simulator.script([
    { on: 'booking.confirm', ...hangs },
    { on: 'booking.status', ...hangs },
  ])
  const slot = slotAfter(venue, 5, Date.now())
  const { body } = await clock.agent.post('/api/bookings', { ...slot, wait: 1 })
  expect(body.status).toBe('pending')
  await clock.advance({ by: 'P1D' })
  expect(await statusOf(clock.agent, body.booking.id)).toBe('expired')
  await simulator.close()
})

test('a venue system that answers in its time confirms on a clock far from the present', async () => {
  const simulator = await openSimulator()
  const venue = await addTestVenue(service.db, [{}], { confirmMode: 'http' })
  await connectVenue(service, venue.id, simulator)
  for (const days of [-300, 300]) {
    const now = Date.now() + days * DAY_MS
    const clock = await openTestClock(service, { now: new Date(now).toISOString() })
    const { body } = await clock.agent.post('/api/bookings', slotAfter(venue, 5, now))
    expect(body).toMatchObject({ status: 'confirmed' })
  }
  await simulator.close()
})

test('search and availability answer for the time of the clock', async () => {
  const now = Date.now() + 200 * DAY_MS
  const clock = await openTestClock(service, { now: new Date(now).toISOString() })
  const venue = await addTestVenue(service.db)
  const day = new Date(now).toISOString().slice(0, 10)
  const path = `/api/venues/${venue.slug}/availability?party_size=2`
  const { body } = await clock.agent.get(path)
  expect(body.days[0].date >= day).toBe(true)
})

test('deliveries are retried over days until the receiver recovers', async () => {
  const clock = await openTestClock(service)
  const venue = await addTestVenue(service.db)
  const { receiver, endpointId } = await subscribe(clock.agent)
  const proving = receiver.answer
  receiver.answer = (response) => void response.writeHead(500).end()
  const begun = await clock.now()
  const before = receiver.received.length
  const slot = { ...slotAfter(venue, 30, begun), reminders: [] }
  const { body } = await clock.agent.post('/api/bookings', slot)
  expect(body.status).toBe('confirmed')
  await clock.advance({ by: 'PT60H' })
  const attempts = receiver.received.slice(before)
  const ofOne = attempts.filter(({ body }) => body.type === 'booking.confirmed')
  expect(ofOne.length).toBeGreaterThanOrEqual(7)
  receiver.answer = proving
  await clock.advance({ by: 'P1D' })
  const { body: found } = await clock.agent.get(`/api/webhooks/${endpointId}/deliveries`)
  const ofBooking = found.deliveries.filter(({ event_type }: any) => event_type !== 'endpoint.test')
  expect(ofBooking.map(({ status }: any) => status)).toEqual(['delivered', 'delivered'])
  await receiver.close()
})

test('deliveries that are held expire by the clock', async () => {
  const clock = await openTestClock(service)
  const venue = await addTestVenue(service.db)
  const { receiver, endpointId } = await subscribe(clock.agent)
  await clock.agent.post(`/api/webhooks/${endpointId}/pause`, {})
  await clock.agent.post('/api/bookings', slotAfter(venue, 40, Date.now()))
  await clock.advance({ by: 'P30D' })
  const { body } = await clock.agent.get(`/api/webhooks/${endpointId}/deliveries?status=expired`)
  expect(body.deliveries.length).toBeGreaterThan(0)
  await receiver.close()
})

test('a replay and a limited rate go on while the clock runs', async () => {
  const clock = await openTestClock(service)
  const venue = await addTestVenue(service.db)
  const { receiver, endpointId } = await subscribe(clock.agent, { rate_per_second: 5 })
  await clock.agent.post('/api/bookings', slotAfter(venue, 3, Date.now()))
  await clock.advance({ by: 'P5D' })
  const seen = receiver.received.length
  const replay = await clock.agent.post(`/api/webhooks/${endpointId}/replays`, { from_number: 1 })
  expect(replay.status).toBeLessThan(300)
  await eventually('the events to come again', async () => receiver.received.length >= seen + 4)
  await receiver.close()
})

test('two clocks and real time do not disturb each other', async () => {
  const [one, other] = [await openTestClock(service), await openTestClock(service)]
  const venue = await addTestVenue(service.db)
  const slot = slotAfter(venue, 10, Date.now())
  const first = await one.agent.post('/api/bookings', slot)
  const second = await other.agent.post('/api/bookings', slot)
  expect([first.body.status, second.body.status]).toEqual(['confirmed', 'confirmed'])
  await one.advance({ by: 'P2W' })
  expect(await statusOf(one.agent, first.body.booking.id)).toBe('completed')
  expect(await statusOf(other.agent, second.body.booking.id)).toBe('confirmed')
  expect(Math.abs((await other.now()) - Date.now())).toBeLessThan(60_000)
  expect((await other.agent.get(`/api/bookings/${first.body.booking.id}`)).status).toBe(404)
})

test('a clock runs on between two moves', async () => {
  const clock = await openTestClock(service)
  await clock.advance({ by: 'P1D' })
  const before = await clock.now()
  await sleep(30)
  expect(await clock.now()).toBeGreaterThan(before)
})
