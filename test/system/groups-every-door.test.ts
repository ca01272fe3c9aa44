import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Agent,
  type AskedSlot,
  agentWith,
  beyondHorizon,
  findSlots,
  makeKey,
} from '../support/agent.ts'
import { type DoorAnswer, everyDoor } from '../support/every-door.ts'
import { openRunningService, type Service } from '../support/network.ts'
import { daily } from '../support/nightly.ts'
import { postEnvelope } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'

let network: Service
let agent: Agent
let slots: AskedSlot[]

beforeAll(async () => {
  network = await openRunningService()
  agent = network.agent
  slots = await findSlots(agent, 'gym in Bali', 3, 1)
})
afterAll(() => network?.close())

const key = () => ({ idempotency_key: randomUUID(), wait: 60, also: true })

describe.each(daily(everyDoor))('any of at %s', (_, confirm) => {
  test('books the first available choice and reports each', async () => {
    const [first, second, third] = slots as [AskedSlot, AskedSlot, AskedSlot]
    const { party_size: _party, ...other } = second
    const input = { ...beyondHorizon(first), alternatives: [other, third], ...key() }
    const said = await confirm(network, agent.key, input)
    expect(said.body).toMatchObject({
      status: 'confirmed',
      choice: 2,
      booking: { venue: { id: second.venue_id }, party_size: 1, group_id: expect.any(String) },
      choices: [{ status: 'refused' }, { status: 'confirmed' }, { status: 'not_tried' }],
    })
    const again = await confirm(network, agent.key, input)
    expect(again.body.booking.id).toBe(said.body.booking.id)
    const other_body = { ...input, alternatives: [third] }
    expect(await confirm(network, agent.key, other_body)).toMatchObject({
      code: 'idempotency_mismatch',
    })
  })

  test('without an available choice explains each, with alternatives', async () => {
    const [first, second] = slots.map(beyondHorizon) as [AskedSlot, AskedSlot]
    const input = { ...first, alternatives: [second], ...key() }
    const said = await confirm(network, agent.key, input)
    expect(said).toMatchObject({
      code: 'no_alternative_free',
      body: { choices: [{ code: 'beyond_horizon' }, { code: 'beyond_horizon' }] },
    })
    expect(said.body.alternatives).toBeInstanceOf(Array)
  })

  test.each([
    ['no alternatives', { alternatives: [] }, 'invalid_request'],
    [
      'an unknown venue among them',
      { alternatives: [{ venue_id: randomUUID() }] },
      'venue_not_found',
    ],
    [
      'a slot with an offset among them',
      { alternatives: [{ slot_time: '2026-12-24T19:00:00Z' }] },
      'slot_time_has_offset',
    ],
    ['a hold', { hold_id: randomUUID() }, 'invalid_request'],
  ])('with %s is refused before anything is written', async (_what, change, code) => {
    const groups = 'select from booking_group where account_id = $1'
    const written = async () => (await network.db.query(groups, [agent.accountId])).rowCount
    const before = await written()
    const [first, second] = slots as [AskedSlot, AskedSlot]
    const { alternatives = [{}], ...rest } = change as Record<string, any>
    const others = alternatives.map((one: object) => ({ ...second, ...one }))
    const said = await confirm(network, agent.key, { ...first, ...rest, alternatives: others })
    expect(said.code).toBe(code)
    expect(await written()).toBe(before)
  })
})

type Send = (
  act: 'make' | 'read' | 'cancel',
  input: Record<string, unknown>,
  key: string,
) => Promise<DoorAnswer>

const rest: Send = async (act, { id, ...input }, apiKey) => {
  const caller = agentWith(network.url, agent.accountId, apiKey)
  const { status, body } = await (act === 'make'
    ? caller.post('/api/itineraries', input)
    : act === 'read'
      ? caller.get(`/api/itineraries/${id}`)
      : caller.post(`/api/itineraries/${id}/cancel`, input))
  return { status, code: body.code ?? 'ok', message: body.detail, body }
}

const intents = {
  make: 'itinerary.create',
  read: 'itinerary.get',
  cancel: 'itinerary.cancel',
}

const a2a: Send = async (act, payload, apiKey) => {
  const { status, body } = await postEnvelope(network.url, apiKey, {
    intent: intents[act],
    payload,
  })
  const { code = 'ok', message } = body.error ?? {}
  return { status, code, message, body: body.error ?? body.payload }
}

describe.each([
  ['REST', rest],
  ['A2A', a2a],
] as const)('an itinerary at %s', (_, send) => {
  test('is booked, read and cancelled', async () => {
    const parts = slots.slice(0, 2)
    const input = { parts, ...key() }
    const made = await send('make', input, agent.key)
    expect(made.body).toMatchObject({
      status: 'confirmed',
      itinerary: { status: 'confirmed', parts: [{ part: 1 }, { part: 2 }] },
    })
    const { id } = made.body.itinerary
    expect((await send('make', input, agent.key)).body).toMatchObject({ replayed: true })
    expect((await send('read', { id }, agent.key)).body.itinerary).toEqual(made.body.itinerary)
    const cancelled = await send('cancel', { id, wait: 60 }, agent.key)
    expect(cancelled.body).toMatchObject({
      status: 'cancelled',
      itinerary: { status: 'cancelled' },
    })
    const stranger = await makeKey(network.db, 'pro')
    for (const act of ['read', 'cancel'] as const) {
      expect(await send(act, { id }, stranger.key)).toMatchObject({ code: 'itinerary_not_found' })
    }
  })

  test('that cannot be booked in full names the part and its alternatives', async () => {
    const parts = [slots[0], beyondHorizon(slots[1] as AskedSlot)]
    const said = await send('make', { parts, ...key() }, agent.key)
    expect(said).toMatchObject({
      status: 409,
      code: 'itinerary_not_possible',
      body: { part: 2, reason: 'beyond_horizon', itinerary_id: expect.any(String) },
    })
  })

  test.each([
    ['one part', { parts: 1 }, 'invalid_request'],
    ['a past deadline', { answer_by: '2020-01-01T00:00:00Z' }, 'invalid_request'],
    ['a deadline next year', { answer_by: '2049-01-01T00:00:00Z' }, 'invalid_request'],
    ['a part in the past', { slot_time: '2020-01-01T19:00:00' }, 'slot_in_past'],
  ])('with %s is refused before anything is written', async (_what, change, code) => {
    const { parts: count = 2, slot_time, ...more } = change as Record<string, any>
    const parts = slots.slice(0, count).map((one) => ({ ...one, ...(slot_time && { slot_time }) }))
    expect((await send('make', { parts, ...more, ...key() }, agent.key)).code).toBe(code)
  })

  test('needs the pro tier', async () => {
    const free = await makeKey(network.db, 'free')
    const said = await send('make', { parts: slots.slice(0, 2) }, free.key)
    expect(said).toMatchObject({ status: 403, code: 'plan_required' })
  })
})

test('an itinerary repeated after its deadline is answered, not decided again', async () => {
  const parts = slots.slice(0, 2)
  const idempotency_key = randomUUID()
  const answer_by = new Date(Date.now() + 10_000).toISOString()
  const ask = () => agent.post('/api/itineraries', { parts, answer_by, idempotency_key, wait: 30 })
  const first = await ask()
  expect([201, 409]).toContain(first.status)
  await eventually('the deadline to pass', async () => Date.now() > Date.parse(answer_by))
  const again = await ask()
  expect(again.body.itinerary?.id ?? again.body.code).toBe(
    first.body.itinerary?.id ?? first.body.code,
  )
})
