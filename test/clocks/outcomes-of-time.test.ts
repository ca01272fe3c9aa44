import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { openTestClock, slotAfter, subscribe, type TestClock } from '../support/clocks.ts'
import type { Service } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { test } from '../support/service.ts'

const DAY_MS = 86_400_000

let service: Service

test.beforeAll(async ({ service: shared }) => {
  service = shared
})

const book = async ({ agent }: TestClock, venue: string, days: number, more: object = {}) => {
  const { body } = await agent.post('/api/bookings', {
    ...slotAfter(venue, days, Date.now()),
    wait: 50,
    ...more,
  })
  return body
}

const statusOf = async ({ agent }: TestClock, id: string) =>
  (await agent.get(`/api/bookings/${id}`)).body.booking.status

test('a hold ends when the clock has passed its end, and not before', async () => {
  const clock = await openTestClock(service)
  const slot = slotAfter('sandbox-instant', 5, Date.now())
  const { body } = await clock.agent.post('/api/holds', { ...slot, wait: 50 })
  const { id } = body.booking
  await clock.advance({ by: 'PT3M' })
  expect(await statusOf(clock, id)).toBe('held')
  await clock.advance({ by: 'PT5M' })
  expect(await statusOf(clock, id)).toBe('expired')
})

test('a person who does not answer is reminded, and the request expires', async () => {
  const clock = await openTestClock(service)
  const { receiver } = await subscribe(clock.agent)
  const guest_ref = 'sandbox:silent'
  const { status, booking } = await book(clock, 'sandbox-people', 5, { guest_ref, wait: 2 })
  expect(status).toBe('pending')
  await clock.advance({ by: 'P4D' })
  expect(await statusOf(clock, booking.id)).toBe('expired')
  expect(receiver.received.at(-1)?.body.type).toBe('booking.expired')
  await receiver.close()
})

test('a silent venue system lets a booking expire at its deadline', async () => {
  const clock = await openTestClock(service)
  const { status, booking } = await book(clock, 'sandbox-silent', 5, { wait: 2 })
  expect(status).toBe('pending')
  await clock.advance({ by: 'P1D' })
  expect(await statusOf(clock, booking.id)).toBe('expired')
})

test('a venue answers in time on a clock far from the current time', async () => {
  for (const days of [-300, 300]) {
    const now = Date.now() + days * DAY_MS
    const clock = await openTestClock(service, { now: new Date(now).toISOString() })
    for (const venue of ['sandbox-table', 'sandbox-people']) {
      const slot = slotAfter(venue, 5, now)
      const { body } = await clock.agent.post('/api/bookings', { ...slot, wait: 50 })
      expect(body).toMatchObject({ status: 'confirmed' })
    }
  }
})

test('what a venue says after the slot is said when the clock reaches that time', async () => {
  const clock = await openTestClock(service)
  const guest_ref = 'sandbox:no_show'
  const { booking } = await book(clock, 'sandbox-table', 5, { guest_ref })
  await clock.advance({ by: 'P6D' })
  expect(await statusOf(clock, booking.id)).toBe('no_show')
})

test('availability answers for the time of the clock', async () => {
  const now = Date.now() + 200 * DAY_MS
  const clock = await openTestClock(service, { now: new Date(now).toISOString() })
  const day = new Date(now).toISOString().slice(0, 10)
  const path = '/api/venues/sandbox-instant/availability?party_size=2'
  const { body } = await clock.agent.get(path)
  expect(body.days[0].date >= day).toBe(true)
})

test('deliveries are retried over days until the receiver recovers', async () => {
  const clock = await openTestClock(service)
  const { receiver, endpointId } = await subscribe(clock.agent, {
    event_types: ['booking.confirmed'],
  })
  const proving = receiver.answer
  receiver.answer = (response) => void response.writeHead(500).end()
  const before = receiver.received.length
  const { status } = await book(clock, 'sandbox-instant', 30, { reminders: [] })
  expect(status).toBe('confirmed')
  await clock.advance({ by: 'PT60H' })
  expect(receiver.received.length - before).toBeGreaterThanOrEqual(7)
  const path = `/api/deliveries?endpoint=${endpointId}`
  expect((await clock.agent.get(path)).body.deliveries[0].status).not.toBe('delivered')
  receiver.answer = proving
  // The last attempt comes 90 hours after the event at the latest, whatever the jitter.
  await clock.advance({ by: 'PT36H' })
  expect((await clock.agent.get(path)).body.deliveries[0].status).toBe('delivered')
  await receiver.close()
})

test('deliveries that are held expire by the clock', async () => {
  const clock = await openTestClock(service)
  const { receiver, endpointId } = await subscribe(clock.agent)
  await clock.agent.post(`/api/webhooks/${endpointId}/pause`, {})
  await book(clock, 'sandbox-instant', 60)
  await clock.advance({ by: 'P30D' })
  const { body } = await clock.agent.get(`/api/deliveries?endpoint=${endpointId}&status=expired`)
  expect(body.deliveries.length).toBeGreaterThan(0)
  await receiver.close()
})

nightly('a replay continues while the clock runs', async () => {
  const clock = await openTestClock(service)
  const { receiver, endpointId } = await subscribe(clock.agent, { rate_per_second: 5 })
  await book(clock, 'sandbox-instant', 3)
  await clock.advance({ by: 'P5D' })
  const seen = receiver.received.length
  const replay = await clock.agent.post(`/api/webhooks/${endpointId}/replays`, { from_number: 1 })
  expect(replay.status).toBeLessThan(300)
  await eventually('the events to come again', async () => receiver.received.length >= seen + 4)
  await receiver.close()
})

test('a replay in order that fails at its first event does not stop the clock', async () => {
  const clock = await openTestClock(service)
  const { receiver, endpointId } = await subscribe(clock.agent, { fifo: true })
  await book(clock, 'sandbox-instant', 3)
  await clock.advance({ by: 'P5D' })
  const seen = receiver.received.length
  receiver.answer = (response) => void response.writeHead(500).end()
  await clock.agent.post(`/api/webhooks/${endpointId}/replays`, { from_number: 1 })
  await eventually('the first event to fail', async () => receiver.received.length > seen)
  expect(await clock.advance({ by: 'PT1H' }, 30)).toMatchObject({ status: 'ready' })
  const tried = receiver.received.slice(seen)
  expect(tried.length).toBeGreaterThan(2)
  expect(new Set(tried.map(({ body }) => body.id)).size).toBe(1)
  await receiver.close()
})

nightly('an itinerary whose venue is silent fails at its deadline', async () => {
  const clock = await openTestClock(service)
  const parts = ['sandbox-instant', 'sandbox-silent'].map((venue) =>
    slotAfter(venue, 5, Date.now()),
  )
  const { body } = await clock.agent.post('/api/itineraries', { parts, wait: 2 })
  expect(body.status).toBe('pending')
  await clock.advance({ by: 'P1D' })
  const path = `/api/itineraries/${body.itinerary.id}`
  await eventually('the itinerary to fail', async () => {
    const { body: found } = await clock.agent.get(path)
    return found.itinerary.status === 'failed'
  })
})

nightly('an itinerary that has taken place can no longer be cancelled', async () => {
  const clock = await openTestClock(service)
  const parts = ['sandbox-instant', 'sandbox-table'].map((venue) => slotAfter(venue, 3, Date.now()))
  const { body } = await clock.agent.post('/api/itineraries', { parts, wait: 50 })
  expect(body.status).toBe('confirmed')
  await clock.advance({ by: 'P5D' })
  const path = `/api/itineraries/${body.itinerary.id}`
  const refused = await clock.agent.post(`${path}/cancel`, { wait: 50 })
  expect(refused).toMatchObject({ status: 409, body: { code: 'already_final' } })
  const { itinerary } = (await clock.agent.get(path)).body
  expect(itinerary.status).toBe('confirmed')
  for (const { booking } of itinerary.parts) expect(booking.status).toBe('completed')
})

test('two clocks and real time do not disturb each other', async () => {
  const [one, other] = [await openTestClock(service), await openTestClock(service)]
  const first = await book(one, 'sandbox-instant', 10)
  const second = await book(other, 'sandbox-instant', 10)
  expect([first.status, second.status]).toEqual(['confirmed', 'confirmed'])
  await one.advance({ by: 'P2W' })
  expect(await statusOf(one, first.booking.id)).toBe('completed')
  expect(await statusOf(other, second.booking.id)).toBe('confirmed')
  expect(Math.abs((await other.now()) - Date.now())).toBeLessThan(60_000)
  expect((await other.agent.get(`/api/bookings/${first.booking.id}`)).status).toBe(404)
})

test('a booking continues after its clock, which has moved, is deleted', async () => {
  const clock = await openTestClock(service)
  const { booking } = await book(clock, 'sandbox-instant', 7, { reminders: [1440] })
  const { rows } = await service.db.query('select next_action_at from booking where id = $1', [
    booking.id,
  ])
  const remindAt = rows[0].next_action_at.getTime()
  await clock.advance({ to: new Date(remindAt - 5_000).toISOString() })
  const { url, agent } = service
  const deleted = await fetch(`${url}/api/test_clocks/${clock.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${agent.key}` },
  })
  expect(deleted.status).toBe(200)
  await eventually('the reminder', async () => {
    const { rowCount } = await service.db.query(
      `select from event where booking_id = $1 and type = 'booking.reminder'`,
      [booking.id],
    )
    return rowCount === 1
  })
})

test('a clock runs on between two moves', async () => {
  const clock = await openTestClock(service)
  await clock.advance({ by: 'P1D' })
  const before = await clock.now()
  await sleep(30)
  expect(await clock.now()).toBeGreaterThan(before)
})
