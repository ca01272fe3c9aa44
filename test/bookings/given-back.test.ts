import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { upsertLimits } from '../../src/bookings/store/limits.ts'
import { type Agent, inThreeDays, openAgent } from '../support/agent.ts'
import type { Service } from '../support/network.ts'
import { test } from '../support/service.ts'
import { addVenue } from '../support/test-venues.ts'

let service: Service

test.beforeAll(({ service: shared }) => {
  service = shared
})

const day = inThreeDays()
const once = () => ({ 'idempotency-key': randomUUID() })

/** Limit: two per venue and day. One return is free, the next cost minutes, the fourth a day. */
async function agentWithTwo(): Promise<Agent> {
  const agent = await openAgent(service.db, service.url)
  await upsertLimits(service.db, agent.accountId, { live: null, perVenueDay: 2 })
  return agent
}
const slotOf = async (rules = {}) => {
  const { id } = await addVenue(service.db, [{ rules }])
  return { venue_id: id, slot_time: `${day}T19:00:00`, party_size: 2 }
}
const hold = (agent: Agent, slot: unknown) => agent.post('/api/holds', slot, once())
const book = (agent: Agent, slot: unknown) => agent.post('/api/bookings', slot, once())
const release = (agent: Agent, id: string) => agent.post(`/api/holds/${id}/release`, {})
const cancel = (agent: Agent, id: string) => agent.post(`/api/bookings/${id}/cancel`, {})

/** Moves everything that the agent has given back this far into the past. */
const passMinutes = ({ accountId }: Agent, minutes: number) =>
  service.db.query(
    `update booking set updated_at = updated_at - make_interval(mins => $2)
     where account_id = $1 and status in ('released', 'cancelled')`,
    [accountId, minutes],
  )

test('repeatedly holding and releasing a slot is slowed, then refused for a day', async () => {
  const agent = await agentWithTwo()
  const slot = await slotOf()
  for (const minutes of [1, 2, 4]) {
    const { status, body } = await hold(agent, slot)
    expect(status).toBe(201)
    await release(agent, body.booking.id)
    const refused = await hold(agent, slot)
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'slot_given_back_too_often', retryable: true },
    })
    const { until, retry_after, detail } = refused.body
    expect(detail).toContain('`until`')
    expect(refused.headers.get('retry-after')).toBe(String(retry_after))
    expect(retry_after).toBeGreaterThan((minutes - 1) * 60)
    expect(retry_after).toBeLessThanOrEqual(minutes * 60)
    expect(Date.parse(until)).toBeGreaterThan(Date.now())
    await passMinutes(agent, minutes)
  }
  await release(agent, (await hold(agent, slot)).body.booking.id)
  await passMinutes(agent, 60)
  const closed = await hold(agent, slot)
  expect(closed.body.code).toBe('slot_given_back_too_often')
  expect(closed.body.retry_after).toBeGreaterThan(20 * 3_600)
  await passMinutes(agent, 24 * 60)
  expect((await hold(agent, slot)).status).toBe(201)
})

test('booking and cancelling counts for overlapping slots, and only for that account', async () => {
  const agent = await agentWithTwo()
  const slot = await slotOf()
  await cancel(agent, (await book(agent, slot)).body.booking.id)
  const overlapping = { ...slot, slot_time: `${day}T19:30:00` }
  for (const ask of [book(agent, slot), hold(agent, overlapping)]) {
    expect((await ask).body.code).toBe('slot_given_back_too_often')
  }
  const parts = [overlapping, await slotOf()]
  const itinerary = await agent.post('/api/itineraries', { parts, wait: 60 }, once())
  expect(itinerary.body).toMatchObject({ reason: 'slot_given_back_too_often' })
  expect((await hold(agent, { ...slot, slot_time: `${day}T12:00:00` })).status).toBe(201)
  expect((await hold(await agentWithTwo(), slot)).status).toBe(201)
})

test('many concurrent requests cannot bypass a wait', async () => {
  const agent = await agentWithTwo()
  const slot = await slotOf()
  await release(agent, (await hold(agent, slot)).body.booking.id)
  const answers = await Promise.all(Array.from({ length: 8 }, () => hold(agent, slot)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]))
})

test('a late cancellation that costs the fee does not count as giving back', async () => {
  const agent = await agentWithTwo()
  const slot = await slotOf({ cancel_cutoff_minutes: 14 * 24 * 60 })
  for (let n = 0; n < 3; n += 1) {
    const { status, body } = await book(agent, slot)
    expect(status).toBe(201)
    expect((await cancel(agent, body.booking.id)).body.cancellation.fee).toBe('kept')
  }
})

test('a slot closed to an account is also closed to its changes', async () => {
  const agent = await agentWithTwo()
  const slot = await slotOf()
  await release(agent, (await hold(agent, slot)).body.booking.id)
  const { id } = (await book(agent, { ...slot, slot_time: `${day}T12:00:00` })).body.booking
  const { slot_time } = slot
  for (const dry_run of [true, false]) {
    const moved = await agent.patch(`/api/bookings/${id}`, { slot_time, dry_run })
    expect(moved).toMatchObject({ status: 429, body: { code: 'slot_given_back_too_often' } })
  }
})

test('a slot closed to an account is also closed to its watches', async () => {
  const [agent, other] = [await agentWithTwo(), await openAgent(service.db, service.url)]
  const { id } = await addVenue(service.db, [{ resources: [{ party_max: 4 }] }])
  const slot = { venue_id: id, slot_time: `${day}T19:00:00`, party_size: 2 }
  await release(agent, (await hold(agent, slot)).body.booking.id)
  const taken = await book(other, slot)
  const refused = await agent.post('/api/watches', slot)
  expect(refused).toMatchObject({ status: 429, body: { code: 'slot_given_back_too_often' } })
  await passMinutes(agent, 2)
  const { status, body } = await agent.post('/api/watches', slot)
  expect(status).toBe(201)
  await passMinutes(agent, -2)
  await cancel(other, taken.body.booking.id)
  const watched = await agent.get(`/api/watches/${body.watch.id}`)
  expect(watched.body.watch.status).toBe('watching')
  expect((await hold(other, slot)).status).toBe(201)
})

test('moving a booking to another slot gives its slot back', async () => {
  const agent = await agentWithTwo()
  const slot = await slotOf()
  const { id } = (await book(agent, slot)).body.booking
  const move = async (clock: string) =>
    (await agent.patch(`/api/bookings/${id}`, { slot_time: `${day}T${clock}:00` })).body
  expect((await move('12:00')).status).toBe('amended')
  expect((await move('19:00')).code).toBe('slot_given_back_too_often')
  expect((await hold(agent, slot)).body.code).toBe('slot_given_back_too_often')
  expect((await move('15:00')).status).toBe('amended')
})
