import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, findSlot } from '../support/agent.ts'
import { everyDoor } from '../support/every-door.ts'
import { openRunningService, type Service } from '../support/network.ts'
import { postEnvelope } from '../support/open-doors.ts'
import { traces } from '../support/traces.ts'

let network: Service
let agent: Agent
let slot: Awaited<ReturnType<typeof findSlot>>

beforeAll(async () => {
  network = await openRunningService()
  agent = network.agent
  slot = await findSlot(agent, 'restaurant in Seminyak')
})

afterAll(() => network?.close())

test('the whole booking in llms.txt works as it is written there', async () => {
  const text = await (await fetch(`${network.url}/llms.txt`)).text()
  const known: Record<string, string> = {}
  const step = async (intent: string) => {
    const [, written = ''] = new RegExp(`^\\d\\. \`${intent}\` \`(.+?)\``, 'm').exec(text) ?? []
    const payload = written.replaceAll(/<([\w.]+)>/g, (_, name) => known[name] ?? '')
    const sent = { intent, payload: JSON.parse(payload) }
    const { status, body } = await postEnvelope(network.url, agent.key, sent)
    expect(body.error).toBeUndefined()
    expect(status).toBeLessThan(300)
    return body.payload
  }
  const { venues } = await step('booking.search')
  const venue = venues.find((one: any) => one.availability.confirm_mode === 'auto')
  const [{ date, times }] = venue.availability.days
  Object.assign(known, { id: venue.id, date, time: times.at(-1) })
  const held = await step('booking.hold')
  known['booking.id'] = held.booking.id
  const { status, booking, next } = await step('booking.confirm')
  expect({ status, next }).toMatchObject({
    status: 'confirmed',
    next: expect.stringContaining('guest_url'),
  })
  expect(text).toContain('booking.guest_url')
  expect((await fetch(booking.guest_url)).status).toBe(200)
  const { cancellation } = await step('booking.cancel')
  expect(cancellation).toMatchObject({ amount_minor: 0 })
})

const once = () => ({ idempotency_key: randomUUID(), wait: 60, also: true })

test('the same booking through each door leaves the same rows and events', async () => {
  const left: Awaited<ReturnType<typeof traces>>[] = []
  for (const [, confirm] of everyDoor) {
    const { body } = await confirm(network, agent.key, { ...slot, ...once() })
    expect(body).toMatchObject({ status: 'confirmed', booking: { slot_time: slot.slot_time } })
    left.push(await traces(network.db, body.booking.id))
  }
  const [rest, a2a, mcp] = left
  expect(rest?.events).toEqual(['booking.held', 'booking.confirmed', 'fee.accrued'])
  expect(a2a).toEqual(rest)
  expect(mcp).toEqual(rest)
})

test('a key used at one door gets the same answer at every other', async () => {
  const input = { ...slot, ...once() }
  const ids = new Set<string>()
  for (const [, confirm] of everyDoor) {
    const { body } = await confirm(network, agent.key, input)
    ids.add(body.booking.id)
  }
  expect(ids.size).toBe(1)
})

describe.each(everyDoor)('at %s', (_name, confirm) => {
  const past = '2020-01-01T19:00:00'
  const far = '2032-01-01T19:00:00'
  test.each([
    ['a party of zero', { party_size: 0 }, 'party_too_small'],
    ['a negative party', { party_size: -1 }, 'party_too_small'],
    ['half a guest', { party_size: 1.5 }, 'invalid_request'],
    ['a non-numeric party', { party_size: 'two' }, 'invalid_request'],
    ['a party of a thousand million', { party_size: 1e9 }, 'party_too_large'],
    ['a slot in the past', { slot_time: past }, 'slot_in_past'],
    ['a slot beyond the horizon', { slot_time: far }, 'beyond_horizon'],
    ['a slot with Z', { slot_time: '2026-12-24T19:00:00Z' }, 'slot_time_has_offset'],
    ['a slot with an offset', { slot_time: '2026-12-24T19:00:00+03:00' }, 'slot_time_has_offset'],
    ['a nonexistent day', { slot_time: '2026-02-30T19:00:00' }, 'invalid_request'],
    ['the first representable year', { slot_time: '0001-01-01T19:00:00' }, 'invalid_request'],
    ['the last representable year', { slot_time: '9999-12-31T19:00:00' }, 'invalid_request'],
    ['a note with U+0000', { notes: 'a\0b' }, 'invalid_request'],
    ['a lone surrogate', { guest_ref: 'x\ud800' }, 'invalid_request'],
    ['a key outside ASCII', { idempotency_key: 'clé' }, 'invalid_request'],
    ['an unknown venue', { venue_id: randomUUID() }, 'venue_not_found'],
  ])('%s is refused by the rules', async (_what, change, code) => {
    const said = await confirm(network, agent.key, { ...slot, ...change })
    expect(said.code).toBe(code)
    expect(said.message.length).toBeGreaterThan(20)
  })

  test('an off-grid time is refused with times on the grid', async () => {
    const slot_time = slot.slot_time.replace(/\d\d:00$/, '37:00')
    const said = await confirm(network, agent.key, { ...slot, slot_time })
    expect(said.code).toBe('slot_off_grid')
    const [first] = said.body.alternatives
    const again = { ...slot, slot_time: first.slot_time, venue_id: first.venue.id }
    const booked = await confirm(network, agent.key, { ...again, ...once() })
    expect(booked.body.status).toBe('confirmed')
  })
})
