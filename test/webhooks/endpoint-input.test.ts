import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/base/error-catalogue.ts'
import { callsAt, intentsOnOne, webhookDoors } from '../support/endpoint-calls.ts'
import { type Doors, type Holder, openDoors } from '../support/open-doors.ts'

let doors: Doors
let holder: Holder
beforeAll(async () => {
  doors = await openDoors()
  holder = await doors.openAccount('pro')
})
afterAll(() => doors?.close())

const url = 'https://agent.example/hooks'
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, '1']))

const bad: [string, Record<string, unknown>, ErrorCode, string][] = [
  ['no URL', { url: undefined }, 'invalid_request', '/url'],
  ['a URL that is a number', { url: 5 }, 'invalid_request', '/url'],
  ['a URL of 2,049 characters', { url: `${url}/${'x'.repeat(2048)}` }, 'invalid_request', '/url'],
  ['a URL with a user name', { url: 'https://me:pw@agent.example/' }, 'url_not_allowed', ''],
  ['another scheme', { url: 'ftp://agent.example/' }, 'url_not_allowed', ''],
  ['another port', { url: 'https://agent.example:22/' }, 'url_not_allowed', ''],
  ['a private address', { url: 'https://10.0.0.1/' }, 'url_not_allowed', ''],
  ['a private address in disguise', { url: 'https://0x0a.1/' }, 'url_not_allowed', ''],
  ['the metadata address', { url: 'https://169.254.169.254/' }, 'url_not_allowed', ''],
  ['a mapped address', { url: 'https://[::ffff:10.0.0.1]/' }, 'url_not_allowed', ''],
  ['a name of one’s own network', { url: 'https://db.internal/' }, 'url_not_allowed', ''],
  ['a URL with a line break', { url: 'https://agent.example/\n' }, 'url_not_allowed', ''],
  ['no types', { event_types: [] }, 'invalid_request', '/event_types'],
  ['an unknown type', { event_types: ['booking.lost'] }, 'invalid_request', '/event_types/0'],
  ['half a filter', { event_types: ['book*'] }, 'invalid_request', '/event_types/0'],
  ['a text of unknown types', { event_types: 'book, x' }, 'invalid_request', '/event_types/0'],
  ['the header host', { headers: { Host: 'x' } }, 'invalid_request', '/headers/Host'],
  [
    'a signature of one’s own',
    { headers: { 'Webhook-Signature': 'v1,x' } },
    'invalid_request',
    '/headers/Webhook-Signature',
  ],
  [
    'a content type',
    { headers: { 'content-type': 'x' } },
    'invalid_request',
    '/headers/content-type',
  ],
  [
    'a transfer encoding',
    { headers: { 'Transfer-Encoding': 'chunked' } },
    'invalid_request',
    '/headers/Transfer-Encoding',
  ],
  ['a header with a space', { headers: { 'x y': '1' } }, 'invalid_request', '/headers/x y'],
  ['a header without a name', { headers: { '': '1' } }, 'invalid_request', '/headers/'],
  ['a value with a line break', { headers: { x: 'a\r\nb: c' } }, 'invalid_request', '/headers/x'],
  ['a value with a NUL', { headers: { x: 'a\0' } }, 'invalid_request', '/headers/x'],
  ['a value beyond ASCII', { headers: { x: 'caf\u00e9' } }, 'invalid_request', '/headers/x'],
  ['a value that is a number', { headers: { x: 1 } }, 'invalid_request', '/headers/x'],
  ['an empty value', { headers: { x: '' } }, 'invalid_request', '/headers/x'],
  ['a header twice', { headers: { 'x-a': '1', 'X-A': '2' } }, 'invalid_request', '/headers/X-A'],
  ['21 headers', { headers: many(21) }, 'invalid_request', '/headers'],
  ['a rate of none', { rate_per_second: 0 }, 'invalid_request', '/rate_per_second'],
  ['a rate of 1.5', { rate_per_second: 1.5 }, 'invalid_request', '/rate_per_second'],
  ['a description that is too long', { description: 'x'.repeat(501) }, 'invalid_request', ''],
  ['a description with a NUL', { description: '\0' }, 'invalid_request', '/description'],
  ['an unknown field', { secrets: 'x' }, 'invalid_request', '/secrets'],
]
const badSecrets = [
  ...['whsec_', 'abc', 'whsec_%%%%', `whsec_${randomBytes(23).toString('base64')}`],
  `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
]

describe.each(webhookDoors)('at %s', (door) => {
  const call = callsAt(
    door,
    () => doors,
    () => holder,
  )

  test.each(bad)('%s creates no endpoint', async (_, wrong, code, pointer) => {
    const said = await call('webhook.create', { url, ...wrong })
    expect(said.code).toBe(code)
    if (pointer) expect(said.body.errors[0]).toMatchObject({ pointer })
    expect((await call('webhook.list')).body.endpoints).toEqual([])
  })

  test.each(badSecrets)('%s is not accepted as a secret, and is not echoed', async (secret) => {
    for (const intent of ['webhook.create', 'webhook.rotate', 'webhook.revoke']) {
      const input = intent === 'webhook.create' ? { url } : { id: randomUUID() }
      const said = await call(intent, { ...input, secret })
      expect(said.body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/secret' }] })
      if (secret.length > 10) expect(JSON.stringify(said)).not.toContain(secret)
    }
  })

  test('an unknown endpoint is not found, and a malformed id is invalid', async () => {
    for (const intent of intentsOnOne) {
      expect([intent, (await call(intent, { id: randomUUID() })).code]).toEqual([
        intent,
        'endpoint_not_found',
      ])
      expect([intent, (await call(intent, { id: 'mine' })).code]).toEqual([
        intent,
        'invalid_request',
      ])
    }
  })

  test.each([
    ['webhook.rotate', { overlap_hours: 169 }],
    ['webhook.rotate', { overlap_hours: -1 }],
    ['webhook.activate', { force: 'yes' }],
    ['webhook.resume', { held: 'drop' }],
    ['webhook.verify', { challenge: 5 }],
    ['webhook.verify', { wait: 61 }],
    ['webhook.test', { note: 5 }],
    ['webhook.update', { url: 5 }],
    ['webhook.update', { headers: { te: null } }],
    ['webhook.pause', { until: 'tomorrow' }],
  ])('%s with %j is refused', async (intent, wrong) => {
    const said = await call(intent, { id: randomUUID(), ...wrong })
    expect(said.code).toBe('invalid_request')
  })

  test('a change to an undeliverable URL changes nothing', async () => {
    const owner = await doors.openAccount('free')
    const made = (await call('webhook.create', { url, headers: many(20) }, owner.key)).body
    const { id } = made.endpoint
    for (const [wrong, code] of [
      [{ url: 'https://192.168.0.1/', description: 'x' }, 'url_not_allowed'],
      [{ headers: { 'y-1': '1' }, description: 'x' }, 'invalid_request'],
    ] as const) {
      expect((await call('webhook.update', { id, ...wrong }, owner.key)).code).toBe(code)
    }
    expect((await call('webhook.get', { id }, owner.key)).body.endpoint).toEqual(made.endpoint)
  })
})

test('production accepts only https and never OUTBOUND_ALLOW or loopback', async () => {
  const strict = await openDoors({
    NODE_ENV: 'production',
    OUTBOUND_ALLOW: 'simulator:4000,pms.internal:443,127.0.0.1:443',
    TIMELINE_KEY: '',
    SECRETS_KEY: '',
  })
  try {
    const owner = await strict.openAccount('free')
    const call = callsAt(
      'REST',
      () => strict,
      () => owner,
    )
    for (const refused of [
      'http://agent.example/',
      'http://localhost:3000/',
      'https://127.0.0.1/',
      'http://simulator:4000/book/any/confirm',
      'https://pms.internal/',
    ]) {
      expect((await call('webhook.create', { url: refused })).code).toBe('url_not_allowed')
    }
    expect((await call('webhook.create', { url })).code).toBe('ok')
  } finally {
    await strict.close()
  }
})
