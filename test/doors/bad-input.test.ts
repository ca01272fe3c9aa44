import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ErrorCode, errorCatalogue } from '../../src/base/error-catalogue.ts'
import { refusalData } from '../../src/base/errors.ts'
import { everyDoor } from '../support/every-door.ts'
import {
  bearer,
  type Doors,
  type Holder,
  jsonOf,
  openDoors,
  postEnvelope,
} from '../support/open-doors.ts'

let doors: Doors
let pro: Holder
let booking: Record<string, unknown>

beforeAll(async () => {
  doors = await openDoors()
  pro = await doors.openAccount('pro')
  const { rows } = await doors.db.query('select id from venue order by slug limit 1')
  booking = { venue_id: rows[0].id, slot_time: '2027-01-15T19:00:00', party_size: 2 }
})
beforeEach(() => {
  doors.engine.answer = 'pending'
})
afterAll(() => doors.close())

const confirms = async () => (await doors.db.query('select 1 from request')).rowCount

const badInputs: [string, Record<string, unknown>, ErrorCode, string][] = [
  ['a slot with Z', { slot_time: '2027-01-15T19:00:00Z' }, 'slot_time_has_offset', ''],
  ['a slot with an offset', { slot_time: '2027-01-15T19:00:00+03:00' }, 'slot_time_has_offset', ''],
  ['a slot that is no time', { slot_time: 'tomorrow' }, 'invalid_request', '/slot_time'],
  ['a slot that is a number', { slot_time: 5 }, 'invalid_request', '/slot_time'],
  ['no slot', { slot_time: undefined }, 'invalid_request', '/slot_time'],
  ['party 1.5', { party_size: 1.5 }, 'invalid_request', '/party_size'],
  ['party "two"', { party_size: 'two' }, 'invalid_request', '/party_size'],
  ['party null', { party_size: null }, 'invalid_request', '/party_size'],
  ['a venue by its name', { venue_id: 'Warung Ubud' }, 'invalid_request', '/venue_id'],
  ['a slug of no venue', { venue_id: 'warung' }, 'venue_not_found', ''],
  ['an unknown venue', { venue_id: randomUUID() }, 'venue_not_found', ''],
  ['an unknown field', { partysize: 4 }, 'invalid_request', '/partysize'],
  [
    'an unknown field of the guest',
    { guest: { name: 'x', vip: 1 } },
    'invalid_request',
    '/guest/vip',
  ],
  ['a name of two spaces', { guest: { name: '  ' } }, 'invalid_request', '/guest/name'],
  ['a name of a dash', { guest: '-' }, 'invalid_request', '/guest/name'],
  ['a day that does not exist', { slot_time: '2027-02-30T19:30' }, 'invalid_request', '/slot_time'],
  ['a day that may be two', { slot_time: 'next friday 7pm' }, 'invalid_request', '/slot_time'],
  ['a wait that is too long', { wait: 61 }, 'invalid_request', '/wait'],
  [
    'an idempotency key of two words',
    { idempotency_key: 'a b' },
    'invalid_request',
    '/idempotency_key',
  ],
]

describe.each(everyDoor)('at %s', (_, send) => {
  test.each(badInputs)('%s is refused before anything is written', async (_, wrong, code, at) => {
    const before = await confirms()
    const said = await send(doors, pro.key, { ...booking, ...wrong })
    expect(said.code).toBe(code)
    expect(said.status ?? errorCatalogue[code].status).toBe(errorCatalogue[code].status)
    expect(said.message).toContain(errorCatalogue[code].advice)
    if (at) expect(said.body.errors).toMatchObject([{ pointer: at, detail: expect.any(String) }])
    expect(await confirms()).toBe(before)
  })

  test('a slot that is none says why, and what to send', async () => {
    const about = async (slot_time: string) =>
      (await send(doors, pro.key, { ...booking, slot_time })).message
    expect(await about('2027-02-30T19:30')).toContain('there is no 30 February 2027.')
    expect(await about('next friday 7pm')).toMatch(
      /expected a local date-time as in 20\d\d-\d\d-\d\dT19:00:00 \(the coming Friday\)/,
    )
  })

  test.each([
    'slot_in_past',
    'slot_off_grid',
    'beyond_horizon',
    'party_too_small',
    'party_too_large',
    'slot_unavailable',
  ] as const)('the refusal %s of a booking states the facts', async (code) => {
    const alternatives = [{ slot_time: '2027-01-15T20:00:00' }]
    doors.engine.answer = { refusal: refusalData(code, undefined, { alternatives }) }
    const said = await send(doors, pro.key, { ...booking, idempotency_key: randomUUID() })
    expect(said).toMatchObject({ code, body: { alternatives, retryable: false } })
    expect(said.status ?? errorCatalogue[code].status).toBe(errorCatalogue[code].status)
  })

  test('a free key learns how to get pro, before inventory is queried', async () => {
    const free = await doors.openAccount('free')
    const started = doors.engine.started.length
    const said = await send(doors, free.key, booking)
    expect(said.code).toBe('plan_required')
    expect(said.message).toContain('49 USD')
    expect(said.message.match(/upgrade|to pro\b/gi)).toHaveLength(1)
    expect(said.message).toContain('Ask your user first')
    expect(said.body.account_id).toBe(free.accountId)
    expect(said.message).not.toMatch(/npm|docker/)
    expect(await countOf(free)).toBe(0)
    expect(doors.engine.started).toHaveLength(started)
  })

  test('a slow booking is answered as pending with its details', async () => {
    const said = await send(doors, pro.key, { ...booking, idempotency_key: randomUUID(), wait: 0 })
    expect(said.body).toMatchObject({ status: 'pending', booking: { party_size: 2 } })
    expect(doors.engine.waits.at(-1)).toBe(0)
  })
})

async function countOf(holder: Holder) {
  const found = await doors.db.query('select 1 from request where account_id = $1', [
    holder.accountId,
  ])
  return found.rowCount
}

describe('bodies', () => {
  const send = async (
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    type = 'application/json',
  ) => {
    const response = await fetch(doors.url + path, {
      method: 'POST',
      headers: { ...bearer(pro.key), 'content-type': type },
      body,
    })
    const answer = await jsonOf(response)
    return { status: response.status, code: answer.code ?? answer.error.code, answer }
  }

  test.each([
    ['malformed JSON', '{"intent":', 'application/json', 400, 'malformed_json'],
    ['an array', '[]', 'application/json', 400, 'invalid_request'],
    ['a text', '"hello"', 'application/json', 400, 'invalid_request'],
    [
      'an object of 10,000 levels',
      `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      'application/json',
      400,
      'invalid_request',
    ],
    ['another content type', '{}', 'text/plain', 415, 'unsupported_media_type'],
    ['a broken content type', '{}', 'json', 415, 'unsupported_media_type'],
    ['another charset', '{}', 'application/json; charset=latin1', 415, 'unsupported_media_type'],
    [
      'bytes that are not UTF-8',
      Buffer.from('{"a":"\xe9"}', 'latin1'),
      'application/json; charset="UTF-8"',
      400,
      'malformed_json',
    ],
    ['a body over 64 kB', `"${'x'.repeat(66_000)}"`, 'application/json', 413, 'payload_too_large'],
  ])('%s gives the same code at REST and A2A', async (_, body, type, status, code) => {
    expect(await send('/api/bookings', body, type)).toMatchObject({ status, code })
    const envelope = await send('/a2a/v1', body, type)
    expect(envelope).toMatchObject({ status, code, answer: { protocol: 'service/a2a/v1' } })
  })

  test('an empty JSON body counts as none: it suffices if every field is optional', async () => {
    const path = `/api/bookings/${randomUUID()}/cancel`
    expect(await send(path, '')).toMatchObject({ status: 404, code: 'booking_not_found' })
    expect(await send('/api/bookings', '')).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(await send('/a2a/v1', '')).toMatchObject({ status: 400, code: 'malformed_json' })
  })

  test('the body’s wait overrides the Prefer header, which overrides the default', async () => {
    for (const [wait, prefer, waited] of [
      [59, 'wait=10', 59],
      [undefined, 'wait=7', 7],
      [undefined, 'wait=900', 60],
    ] as const) {
      await confirmWith({ prefer }, { wait, guest_ref: `${prefer} ${wait}` })
      expect(doors.engine.waits.at(-1)).toBe(waited)
    }
  })

  test('a non-ASCII idempotency key is refused, not misread', async () => {
    const response = await confirmWith({ 'idempotency-key': 'cl\u00e9' }, {})
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ pointer: '/idempotency_key' }] })
  })

  const confirmWith = (headers: Record<string, string>, input: Record<string, unknown>) =>
    fetch(`${doors.url}/api/bookings`, {
      method: 'POST',
      headers: { ...bearer(pro.key), 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...booking, ...input }),
    })

  test('a member named __proto__ is an unknown field', async () => {
    const text = JSON.stringify(booking).replace('{', '{"__proto__":{"party_size":9},')
    expect(await send('/api/bookings', text)).toMatchObject({ code: 'invalid_request' })
    const envelope = `{"intent":"booking.confirm","payload":${text}}`
    expect(await send('/a2a/v1', envelope)).toMatchObject({ code: 'invalid_request' })
  })

  test('a custom header named __proto__ is refused, not dropped', async () => {
    const payload = '{"url":"https://x.example/","headers":{"x-a":"b","__proto__":"c"}}'
    const refused = { code: 'invalid_request' }
    const errors = [{ pointer: '/headers/__proto__', detail: 'expected no field of this name' }]
    expect(await send('/api/webhooks', payload)).toMatchObject({ ...refused, answer: { errors } })
    const envelope = `{"intent":"webhook.create","payload":${payload}}`
    expect(await send('/a2a/v1', envelope)).toMatchObject({
      ...refused,
      answer: { error: { errors } },
    })
  })

  test.each([
    [{ protocol: 'service/a2a/v2' }, 'invalid_protocol'],
    [{ from: 'mallory' }, 'invalid_from'],
    [{ from: 'agent://a b' }, 'invalid_from'],
    [{ payload: [] }, 'invalid_request'],
    [{ payload: 'x' }, 'invalid_request'],
    [{ intent: 7 }, 'invalid_request'],
  ])('an envelope with %j is %s', async (wrong, code) => {
    const { status, body } = await postEnvelope(doors.url, pro.key, {
      intent: 'network.ping',
      ...wrong,
    })
    expect([status, body.error.code]).toEqual([400, code])
  })

  test('an unknown intent is refused with the known ones, with and without a key', async () => {
    for (const key of [pro.key, null]) {
      const { status, body } = await postEnvelope(doors.url, key, { intent: 'booking.teleport' })
      expect(status).toBe(400)
      expect(body.error).toMatchObject({ code: 'unknown_intent' })
      expect(body.error.intents).toContain('booking.confirm')
    }
  })
})

test('U+0000 in a path, a query or the URL of an agent is refused', async () => {
  const statuses: number[] = []
  for (const path of ['venues/a%00', 'agents/a%00/.well-known/agent-card.json', 'venue/%00']) {
    statuses.push((await fetch(`${doors.url}/${path}`)).status)
  }
  statuses.push((await fetch(`${doors.url}/venues?q=%00&cursor=%00`)).status)
  const { key } = await doors.openAccount('pro')
  const send = async (method: string, path: string, body: object) =>
    fetch(doors.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...bearer(key) },
      body: JSON.stringify(body),
    })
  const agent = { name: 'nul-agent', description: 'test' }
  for (const field of ['a2a_url', 'mcp_url', 'homepage']) {
    const wrong = { [field]: 'https://agent.example/\0' }
    const made = await send('POST', '/api/agents', { ...agent, ...wrong })
    expect([made.status, (await jsonOf(made)).code]).toEqual([400, 'invalid_request'])
  }
  expect(statuses.filter((status) => status >= 500)).toEqual([])
})

test('neither keys nor guests reach the log', async () => {
  const guest = { name: 'Wayan Secret', phone: '+62811999', email: 'wayan@secret.example' }
  const wrong = `service_live_${'w'.repeat(43)}`
  for (const [, send] of everyDoor.slice(0, 2)) {
    await send(doors, pro.key, { ...booking, guest, idempotency_key: randomUUID() })
    await send(doors, pro.key, { ...booking, guest: { ...guest, phone: 1 } })
    await send(doors, wrong, { ...booking, guest })
  }
  const logged = doors.logged()
  expect(logged).toContain('"operation":"confirm booking"')
  for (const secret of [pro.key, wrong, ...Object.values(guest)]) {
    expect(logged).not.toContain(secret)
  }
})
