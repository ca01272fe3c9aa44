import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Agent, findSlot, inThreeDays } from '../support/agent.ts'
import { openRunningService, type Service } from '../support/network.ts'
import { addVenue } from '../support/test-venues.ts'

const RIVALS = 64
let network: Service
let agent: Agent

beforeAll(async () => {
  network = await openRunningService()
  agent = network.agent
})

afterAll(() => network?.close())

/** All at once, each with its own key, so that each requests its own booking. */
const race = (slot: object) =>
  Promise.all(
    Array.from({ length: RIVALS }, () =>
      agent.post('/api/bookings', { ...slot, wait: 60 }, { 'idempotency-key': randomUUID() }),
    ),
  )

test('of 64 agents, one gets the last table, and the others get alternatives', async () => {
  const slot = await findSlot(agent, 'restaurant in Ubud')
  await network.db.query(
    `delete from resource where venue_id = $1
       and id <> (select r.id from resource r
                  where r.venue_id = $1 and 2 between r.party_min and r.party_max limit 1)`,
    [slot.venue_id],
  )
  const answers = await race(slot)
  const won = answers.filter(({ status }) => status === 201)
  const lost = answers.filter(({ status }) => status === 409)
  expect(won).toHaveLength(1)
  expect(lost).toHaveLength(RIVALS - 1)
  for (const { body } of lost) {
    expect(body.code).toBe('slot_unavailable')
    expect(body.alternatives.length).toBeGreaterThan(0)
  }
  const { rows } = await network.db.query(
    `select (select count(*) from booking where venue_id = $1) as bookings,
       (select count(*) from fee_entry f join booking b on b.id = f.booking_id
        where b.venue_id = $1) as fees`,
    [slot.venue_id],
  )
  expect(rows).toEqual([{ bookings: 1, fees: 1 }])
})

test('of 64 agents, exactly as many get into a class as there are places', async () => {
  const classes = [{ strategy: 'pooled' as const, rules: { places: 40 } }]
  const { id: venue_id } = await addVenue(network.db, classes)
  const slot = { venue_id, slot_time: `${inThreeDays()}T14:00:00`, party_size: 1 }
  const answers = await race(slot)
  const won = answers.filter(({ status }) => status === 201).length
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(RIVALS - won)
  const { rows } = await network.db.query(
    `select used, cap from slot_counter c join service o on o.id = c.service_id
     where o.venue_id = $1`,
    [slot.venue_id],
  )
  expect(rows).toHaveLength(1)
  expect(won).toBe(Math.min(RIVALS, rows[0].cap))
  expect(rows[0].used).toBe(won)
})
