import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ErrorCode, errorCatalogue } from '../../src/base/error-catalogue.ts'
import { upsertLimits } from '../../src/bookings/store/limits.ts'
import { type Agent, inThreeDays, openAgent } from '../support/agent.ts'
import { everyDoorTo } from '../support/every-door.ts'
import { openService, type Service } from '../support/network.ts'
import { daily } from '../support/nightly.ts'
import { addVenue, type TestVenue } from '../support/test-venues.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

let service: Service
let simulator: Simulator
const day = inThreeDays()

beforeAll(async () => {
  // A venue has 12 s to decline while many other tests run.
  service = await openService({ VENUE_ANSWER_MINUTES: '0.2' })
  simulator = await openSimulator()
})
afterAll(async () => {
  await service?.close()
  await simulator?.close()
})

const oneTable = [{ resources: [{ party_max: 4 }] }]
const at = (clock: string, date = day) => `${date}T${clock}:00`
const ask = ({ id }: TestVenue, changes: Record<string, unknown> = {}) => ({
  venue_id: id,
  slot_time: at('19:00'),
  party_size: 2,
  also: true,
  ...changes,
})
const keyed = (input: Record<string, unknown>) => ({ ...input, idempotency_key: randomUUID() })
const must = async (agent: Agent, path: string, body: unknown) => {
  const answer = await agent.post(path, body, { 'idempotency-key': randomUUID() })
  expect(answer.status).toBe(201)
  return answer.body.booking.id as string
}

/** How an agent meets each refusal of a booking. Every case has its own venue per door. */
type Case = {
  code: ErrorCode
  intent?: string
  /** the last request, after the steps that lead up to it */
  leadUp(agent: Agent): Promise<Record<string, unknown>>
  key?(): Promise<string>
  offersTimes?: boolean
}

const venue = (services?: Parameters<typeof addVenue>[1]) => addVenue(service.db, services)
const wrong =
  (changes: Record<string, unknown>, rules = {}) =>
  async () =>
    keyed(ask(await venue([{ rules }]), changes))

const asked = (answers: string) => async () => {
  const { id } = await addVenue(service.db, oneTable, { confirmMode: 'http' })
  await connectVenue(service, id, simulator)
  await simulator.script({ venue_id: id, on: 'booking.confirm', do: { answer: answers } })
  return keyed({ ...ask({ id } as TestVenue), wait: 60 })
}

const overdue = async (id: string) => {
  await service.client.workflow.getHandle(`booking/${id}`).terminate('by a test')
  await service.db.query(
    `update booking set hold_until = now() - interval '1 s', next_action_at = now() - interval '1 s'
     where id = $1`,
    [id],
  )
}

const cases: Case[] = [
  {
    code: 'slot_unavailable',
    offersTimes: true,
    async leadUp(agent) {
      const full = await venue(oneTable)
      await must(agent, '/api/bookings', ask(full))
      return keyed(ask(full))
    },
  },
  {
    code: 'slot_held',
    offersTimes: true,
    async leadUp(agent) {
      const full = await venue(oneTable)
      await overdue(await must(agent, '/api/holds', ask(full)))
      return keyed(ask(full))
    },
  },
  { code: 'slot_in_past', leadUp: wrong({ slot_time: '2020-01-01T19:00:00' }) },
  { code: 'slot_off_grid', leadUp: wrong({ slot_time: at('19:07') }) },
  { code: 'venue_closed', leadUp: wrong({ slot_time: at('04:00') }) },
  { code: 'lead_time', leadUp: wrong({}, { lead_minutes: 9 * 24 * 60 }) },
  { code: 'beyond_horizon', leadUp: wrong({}, { horizon_days: 1 }) },
  { code: 'party_too_small', leadUp: wrong({ party_size: 1 }, { party_min: 2 }) },
  { code: 'party_too_large', leadUp: wrong({ party_size: 9 }) },
  { code: 'slot_time_has_offset', leadUp: wrong({ slot_time: `${at('19:00')}+05:00` }) },
  {
    code: 'hold_expired',
    async leadUp(agent) {
      const id = await must(agent, '/api/holds', ask(await venue()))
      await overdue(id)
      return keyed({ hold_id: id })
    },
  },
  {
    code: 'already_final',
    async leadUp(agent) {
      const id = await must(agent, '/api/holds', ask(await venue()))
      await agent.post(`/api/holds/${id}/release`, {})
      return keyed({ hold_id: id })
    },
  },
  {
    code: 'hold_limit',
    intent: 'booking.hold',
    async leadUp(agent) {
      const gym = await venue([{ strategy: 'pooled', rules: { places: 99 } }])
      for (let n = 0; n < 10; n += 1) await must(agent, '/api/holds', ask(gym))
      return keyed(ask(gym))
    },
  },
  {
    code: 'booking_limit',
    async leadUp(agent) {
      await upsertLimits(service.db, agent.accountId, { live: 1, perVenueDay: null })
      await must(agent, '/api/bookings', ask(await venue()))
      return keyed(ask(await venue()))
    },
  },
  {
    code: 'slot_given_back_too_often',
    async leadUp(agent) {
      await upsertLimits(service.db, agent.accountId, { live: null, perVenueDay: 1 })
      const slot = ask(await venue())
      const id = await must(agent, '/api/holds', slot)
      await agent.post(`/api/holds/${id}/release`, {})
      return keyed(slot)
    },
  },
  {
    code: 'already_extended',
    intent: 'booking.extend',
    async leadUp(agent) {
      const id = await must(agent, '/api/holds', ask(await venue()))
      await agent.post(`/api/holds/${id}/extend`, {})
      return { id }
    },
  },
  {
    code: 'similar_booking',
    async leadUp(agent) {
      const one = ask(await venue())
      await agent.post('/api/bookings', one)
      await service.db.query(`update request set created_at = created_at - interval '16 minutes'
        where account_id = '${agent.accountId}'`)
      return { ...one, also: false }
    },
  },
  {
    code: 'idempotency_mismatch',
    async leadUp(agent) {
      const first = keyed(ask(await venue()))
      await agent.post('/api/bookings', first)
      return { ...first, party_size: 3 }
    },
  },
  { code: 'venue_declined', offersTimes: true, leadUp: asked('declined') },
  { code: 'venue_no_answer', offersTimes: true, leadUp: asked('pending') },
  {
    code: 'plan_required',
    leadUp: wrong({}),
    key: async () => (await openAgent(service.db, service.url, 'free')).key,
  },
  {
    code: 'quota_exceeded',
    leadUp: wrong({}),
    async key() {
      const agent = await openAgent(service.db, service.url)
      await service.db.query('update account set requests_per_day = 1 where id = $1', [
        agent.accountId,
      ])
      await agent.get('/api/ping')
      return agent.key
    },
  },
]

// In parallel, as some cases wait for a venue. Each test has its own agent and venues.
describe.concurrent.each(cases.map((one, at) => ({ ...one, at })))(
  '$code',
  ({ at, code, intent = 'booking.confirm', leadUp, key, offersTimes }) => {
    const doors = everyDoorTo(intent)
    // Each door answers every third refusal.
    test.each(daily([...doors.slice(at % 3), ...doors.slice(0, at % 3)]))(
      'is answered at %s with what to do next',
      async (door, send) => {
        // An agent per door, because an agent's equal requests without a key are deduplicated.
        const agent = await openAgent(service.db, service.url)
        const input = await leadUp(agent)
        const said = await send(service, (await key?.()) ?? agent.key, input)
        expect(said.code).toBe(code)
        const { status, advice, retryable } = errorCatalogue[code]
        expect(said.message).toContain(advice)
        expect(said.body.retryable).toBe(retryable)
        if (door !== 'MCP') expect(said.status).toBe(status)
        if (offersTimes) expect(said.body.alternatives.length).toBeGreaterThan(0)
      },
    )
  },
)
