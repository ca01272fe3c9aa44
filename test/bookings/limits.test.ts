import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Limits } from '../../src/bookings/rules/limits.ts'
import { deleteLimits, upsertLimits } from '../../src/bookings/store/limits.ts'
import { termsOf } from '../../src/compose/terms.ts'
import { readConfig } from '../../src/config/config.ts'
import { byCommand } from '../../src/contract/audit.ts'
import { changeLimitsOf } from '../../src/operators/steps/change-limits.ts'
import { readLimits } from '../../src/operators/steps/read-limits.ts'
import { type Agent, openAgent } from '../support/agent.ts'
import type { Service } from '../support/network.ts'
import { test } from '../support/service.ts'
import { addVenue, type TestVenue } from '../support/test-venues.ts'

let service: Service

test.beforeAll(({ service: shared }) => {
  service = shared
})

const now = Date.now()
const day = (ahead: number) => new Date(now + ahead * 86_400_000).toISOString().slice(0, 10)
const once = () => ({ 'idempotency-key': randomUUID() })

/** An agent with these limits, or with those of a new account. */
async function agentWith(limits?: Partial<Limits>): Promise<Agent> {
  const agent = await openAgent(service.db, service.url)
  if (limits) await upsertLimits(service.db, agent.accountId, { ...none, ...limits })
  else await deleteLimits(service.db, agent.accountId)
  return agent
}
const none = { live: null, perVenueDay: null }

/** A venue with room for everyone. */
const roomy = () => addVenue(service.db, [{ strategy: 'pooled', rules: { places: 1_000 } }])
const slotAt = ({ id }: TestVenue, ahead = 3, clock = '19:00') => ({
  venue_id: id,
  slot_time: `${day(ahead)}T${clock}:00`,
  party_size: 2,
})
const book = (agent: Agent, slot: unknown) => agent.post('/api/bookings', slot, once())
const hold = (agent: Agent, slot: unknown) => agent.post('/api/holds', slot, once())

const liveOf = async ({ accountId }: Agent) =>
  (
    await service.db.query(
      `select id from booking where account_id = $1
       and status in ('held', 'pending', 'offered', 'confirmed')`,
      [accountId],
    )
  ).rows

test('however many at once, an account never exceeds its limit of live bookings', async () => {
  const agent = await agentWith({ live: 3 })
  const venues = await Promise.all([roomy(), roomy(), roomy()])
  const slots = Array.from({ length: 18 }, (_, n) =>
    slotAt(venues[n % 3] as TestVenue, 2 + (n % 5)),
  )
  const answers = await Promise.all(
    slots.map((slot, n) => (n % 2 === 0 ? book(agent, slot) : hold(agent, slot))),
  )
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused).toHaveLength(15)
  for (const { status, body } of refused) {
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'booking_limit', retryable: true, limit: 3, live: 3 })
  }
  const live = await liveOf(agent)
  expect(live).toHaveLength(3)
  await agent.post(`/api/bookings/${live[0]?.id}/cancel`, {})
  expect((await book(agent, slots[0])).status).toBe(201)
})

test('a new account is limited to 100 live bookings, six per venue and day', async () => {
  const agent = await agentWith()
  const venue = await roomy()
  const clocks = ['17:00', '18:00', '19:00', '20:00']
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => book(agent, slotAt(venue, 3, clocks[n % 4]))),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(6)
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({
    code: 'booking_limit',
    limit: 6,
    live: 6,
    venue_id: venue.id,
    date: day(3),
  })
  const other = await book(agent, slotAt(venue, 4))
  expect(other.status).toBe(201)

  const { id } = other.body.booking
  const moved = await agent.patch(`/api/bookings/${id}`, { slot_time: slotAt(venue).slot_time })
  expect(moved.body).toMatchObject({ code: 'booking_limit', date: day(3), booking_id: id })
  expect((await agent.get(`/api/bookings/${id}`)).body.booking.slot_time).toContain(day(4))
  const later = await agent.patch(`/api/bookings/${id}`, {
    slot_time: slotAt(venue, 4, '20:00').slot_time,
  })
  expect(later.body.status).toBe('amended')
})

test('the limits grow with every ten completed bookings', async () => {
  const agent = await agentWith()
  const venue = await roomy()
  await service.db.query(
    `with kept as (
       insert into request (booking_id, account_id, operation, body_hash, door, venue_id, slot_time,
         party_size, created_at)
       select gen_random_uuid(), $1, 'confirm', '', 'rest', $2, now() - n * interval '1 day', 2,
         now() - n * interval '2 days' from generate_series(1, 10) n
       returning booking_id, account_id, venue_id, slot_time, created_at
     )
     insert into booking (id, account_id, venue_id, service_id, rule_version, status, revision,
       slot_time, starts_at, ends_at, party_size, cancel_until, created_at, updated_at)
     select k.booking_id, k.account_id, k.venue_id, o.id, o.rule_version, 'completed', 1,
       k.slot_time, k.slot_time, k.slot_time + interval '1 hour', 2, k.slot_time, k.created_at,
       k.created_at
     from kept k join service o on o.venue_id = k.venue_id`,
    [agent.accountId, venue.id],
  )
  const answers = await Promise.all(Array.from({ length: 9 }, () => book(agent, slotAt(venue))))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(7)
})

test('the parts of an itinerary count, and none stays held if one is too many', async () => {
  const agent = await agentWith({ live: 2 })
  const parts = (await Promise.all([roomy(), roomy(), roomy()])).map((venue) => slotAt(venue))
  const made = await agent.post('/api/itineraries', { parts, wait: 60 }, once())
  expect(made).toMatchObject({
    status: 409,
    body: { code: 'itinerary_not_possible', part: 3, reason: 'booking_limit' },
  })
  expect(await liveOf(agent)).toEqual([])
  const two = await agent.post('/api/itineraries', { parts: parts.slice(0, 2), wait: 60 }, once())
  expect(two.body.status).toBe('confirmed')
  expect((await book(agent, parts[2])).body.code).toBe('booking_limit')
})

test('a watch counts from the start, so that its hold never passes the limit', async () => {
  const venue = await addVenue(service.db, [{ resources: [{ party_max: 4 }] }])
  const taken = await book(service.agent, slotAt(venue))
  const agent = await agentWith({ live: 1 })
  const watched = await agent.post('/api/watches', slotAt(venue))
  expect(watched.status).toBe(201)
  const elsewhere = slotAt(await roomy())
  expect((await book(agent, elsewhere)).body).toMatchObject({ code: 'booking_limit', live: 1 })
  await service.agent.post(`/api/bookings/${taken.body.booking.id}/cancel`, {})
  const offered = await agent.get(`/api/watches/${watched.body.watch.id}`)
  expect(offered.body.watch.status).toBe('offered')
  expect(await liveOf(agent)).toHaveLength(1)
  const confirmed = await book(agent, { hold_id: offered.body.watch.hold_id })
  expect(confirmed.body.status).toBe('confirmed')
  expect((await book(agent, elsewhere)).body.code).toBe('booking_limit')

  const full = await agentWith({ live: 1 })
  await book(full, elsewhere)
  const refused = await full.post('/api/watches', slotAt(venue))
  expect(refused).toMatchObject({ status: 409, body: { code: 'booking_limit' } })
})

test('the operator sees the limits of an account, lifts them, and restores them', async () => {
  const { db } = service
  const agent = await agentWith()
  const venue = await roomy()
  await book(agent, slotAt(venue))
  const usual = termsOf(readConfig({})).limits
  const read = () => readLimits(db, agent.accountId, usual)
  const change = (to: Partial<Limits> | 'usual') =>
    changeLimitsOf(db, { by: byCommand(agent.accountId, new Date()) }, to, usual)
  expect(await read()).toEqual({
    has: { live: 1, busiest: 1, venue: venue.slug, day: day(3), completed: 0 },
    isOwn: false,
    limits: { live: 100, perVenueDay: 6 },
  })
  await change({ live: 1 })
  expect(await read()).toMatchObject({ isOwn: true, limits: { live: 1, perVenueDay: 6 } })
  expect((await book(agent, slotAt(venue))).body).toMatchObject({ code: 'booking_limit', limit: 1 })
  await change({ live: null })
  expect(await read()).toMatchObject({ isOwn: true, limits: { live: null } })
  expect((await book(agent, slotAt(venue))).status).toBe(201)
  await change('usual')
  expect(await read()).toMatchObject({ has: { live: 2 }, isOwn: false, limits: { live: 100 } })
})
