import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/base/durations.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { lockOptionalEndpoint } from '../../src/webhooks/store/endpoints.ts'
import {
  endCurrentKey,
  selectSigningKeys,
  signingKeyContext,
} from '../../src/webhooks/store/signing-keys.ts'
import { callsAt, webhookDoors } from '../support/endpoint-calls.ts'
import { makeSigningKey } from '../support/endpoints.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { type Doors, type Holder, openDoors } from '../support/open-doors.ts'

let doors: Doors
let holder: Holder
let id: string
let first: string

beforeAll(async () => {
  doors = await openDoors()
})
beforeEach(async () => {
  holder = await doors.openAccount('free')
  const made = await call('webhook.create', { url: 'https://agent.example/hooks' })
  id = made.body.endpoint.id
  first = made.body.secret
  doors.engine.signals = []
  doors.engine.sentNow = 'pending'
})
afterAll(() => doors?.close())

const call = callsAt(
  'A2A',
  () => doors,
  () => holder,
)
const signals = () => doors.engine.signals.map(({ signal }) => signal)

/** The secrets that sign at a given time, newest first, as the sender reads them. */
async function signingAt(at: Date): Promise<string[]> {
  const keys = await selectSigningKeys(doors.db, id, at)
  return keys
    .filter(({ valid_from }) => valid_from !== null && valid_from <= at)
    .map((key) => doors.sealer.open(key.secret, signingKeyContext(key.id)))
}
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS)

/** Records a request that was signed with this key and answered with 2xx. */
async function accept(keyId: string, url = 'https://agent.example/hooks') {
  await doors.db.query(
    `insert into attempt (id, endpoint_id, number, cause, status, started_at, http_status, url,
     signed_with)
     values ($1, $2, 1, 'test', 'succeeded', now(), 200, $4, array[$3::uuid])`,
    [randomUUIDv7(), id, keyId, url],
  )
}

describe.each(webhookDoors)('at %s', (door) => {
  const call = callsAt(
    door,
    () => doors,
    () => holder,
  )

  test('both secrets sign during the overlap, newest first; then only the new one', async () => {
    const { key_id, secret, endpoint } = (await call('webhook.rotate', { id, overlap_hours: 2 }))
      .body
    expect(secret).toMatch(/^whsec_/)
    expect(endpoint.keys).toMatchObject([
      { id: key_id, state: 'current', valid_until: null },
      { state: 'expiring', valid_until: expect.any(String) },
    ])
    expect(await signingAt(inHours(0.01))).toEqual([secret, first])
    expect(await signingAt(inHours(1.99))).toEqual([secret, first])
    expect(await signingAt(inHours(2.01))).toEqual([secret])
    expect(signals()).toEqual([{ name: 'rotateSecret', id: key_id, overlap_hours: 2 }])
  })

  test('a custom secret is accepted unless the endpoint already has it', async () => {
    const secret = newSigningSecret()
    const key = { idempotency_key: randomUUID() }
    const rotated = await call('webhook.rotate', { id, secret, overlap_hours: 0, ...key })
    expect(rotated.body.secret).toBe(secret)
    expect(await signingAt(inHours(0.01))).toEqual([secret])
    const again = await call('webhook.rotate', { id, secret, overlap_hours: 0, ...key })
    expect(again.body).toMatchObject({ key_id: rotated.body.key_id, replayed: true })
    expect(again.body).not.toHaveProperty('secret')
    for (const same of [secret, secret.replace(/=+$/, '')]) {
      expect((await call('webhook.rotate', { id, secret: same })).code).toBe('secret_in_use')
      expect((await call('webhook.revoke', { id, secret: same })).code).toBe('secret_in_use')
    }
    const other = await call('webhook.rotate', { id, overlap_hours: 1, ...key })
    expect(other.code).toBe('idempotency_mismatch')
  })

  test('a staged secret signs only tests until it is accepted and activated', async () => {
    expect((await call('webhook.activate', { id })).code).toBe('no_staged_secret')
    const lost = (await call('webhook.rotate', { id, staged: true })).body
    const staged = (await call('webhook.rotate', { id, staged: true })).body
    expect(staged.next).toMatch(/\/activate|webhook\.activate/)
    expect(staged.endpoint.keys).toMatchObject([
      { id: staged.key_id, state: 'staged', valid_from: null },
      { state: 'current' },
    ])
    expect(await signingAt(inHours(1))).toEqual([first])
    const wait = { id, wait: 3 }
    expect((await call('webhook.activate', wait)).code).toBe('not_proved')
    await accept(lost.key_id)
    await accept(staged.key_id, 'https://agent.example/before')
    const sent = { id: randomUUID(), http_status: 401, failure: 'status', ms: 3 }
    doors.engine.sentNow = { ...sent, status: 'failed' }
    expect((await call('webhook.activate', wait)).body).toMatchObject({
      code: 'not_proved',
      attempt: { status: 'failed', http_status: 401 },
    })
    await accept(staged.key_id)
    const stale = await call('webhook.activate', { id, key_id: lost.key_id })
    expect(stale.code).toBe('no_staged_secret')
    const { key_id } = staged
    const active = await call('webhook.activate', { id, key_id })
    expect(active.body).toMatchObject({ key_id, endpoint: { keys: [{ id: key_id }, {}] } })
    expect(await signingAt(inHours(1))).toEqual([staged.secret, first])
    const twice = await call('webhook.activate', { id, key_id, overlap_hours: 0 })
    expect(twice.body).toEqual(active.body)
    expect((await call('webhook.activate', { id })).code).toBe('no_staged_secret')
  })

  test('force activates a secret that no receiver has accepted', async () => {
    const { secret } = (await call('webhook.rotate', { id, staged: true })).body
    expect((await call('webhook.activate', { id, force: true, overlap_hours: 0 })).code).toBe('ok')
    expect(await signingAt(inHours(0.01))).toEqual([secret])
  })

  test('revoking leaves one new secret and aborts requests in flight', async () => {
    await call('webhook.rotate', { id })
    await call('webhook.rotate', { id, staged: true })
    doors.engine.signals = []
    const { key_id, secret, endpoint } = (await call('webhook.revoke', { id })).body
    expect(endpoint.keys).toMatchObject([{ id: key_id, state: 'current', valid_until: null }])
    expect(endpoint.keys).toHaveLength(1)
    expect(await signingAt(inHours(0.01))).toEqual([secret])
    expect(signals()).toEqual([{ name: 'rotateSecret', id: key_id, revoke: true }])
  })
})

test('at most ten secrets sign at once; revoking or skipping the overlap makes room', async () => {
  for (let n = 0; n < 9; n += 1) await call('webhook.rotate', { id })
  expect((await call('webhook.rotate', { id })).code).toBe('too_many_secrets')
  expect(await signingAt(inHours(0.01))).toHaveLength(10)
  expect((await call('webhook.rotate', { id, overlap_hours: 0 })).code).toBe('ok')
  expect((await call('webhook.revoke', { id })).code).toBe('ok')
  expect((await call('webhook.rotate', { id })).code).toBe('ok')
})

test('concurrent rotations leave one current secret, and one always signs', async () => {
  const rotated = await Promise.all(
    Array.from({ length: 8 }, () => call('webhook.rotate', { id, overlap_hours: 1 })),
  )
  expect(rotated.map(({ code }) => code)).toEqual(Array(8).fill('ok'))
  const { keys } = (await call('webhook.get', { id })).body.endpoint
  const current = keys.filter(({ state }: { state: string }) => state === 'current')
  expect([keys.length, current.length]).toEqual([9, 1])
  const [last] = await signingAt(inHours(2))
  expect(rotated.map(({ body }) => body.secret)).toContain(last)
})

test.each([
  ['a rotation', { intent: 'webhook.rotate', staged: false }],
  ['an activation', { intent: 'webhook.activate', staged: true }],
])(
  'of two concurrent changes, the secret of %s that came second signs first',
  async (_, { intent, staged }) => {
    if (staged) await call('webhook.rotate', { id, staged })
    let waited: ReturnType<typeof call> | undefined
    await transaction(doors.db, async (tx) => {
      await lockOptionalEndpoint(tx, holder.accountId, id)
      waited = call(intent, { id, overlap_hours: 1, ...(staged && { force: true }) })
      await untilWaiting(doors.db, 1)
      await endCurrentKey(tx, id, inHours(1))
      await makeSigningKey(tx, doors.sealer, id, inHours(0.0005))
    })
    const { key_id, endpoint } = (await waited)?.body ?? {}
    const state = (key: { state: string }) => key.state
    expect(endpoint.keys.map(state)).toEqual(['current', 'expiring', 'expiring'])
    expect(endpoint.keys[0].id).toBe(key_id)
  },
)

test('a rotation that does not commit changes nothing', async () => {
  await doors.db.query(`create function crash() returns trigger language plpgsql as
    $$ begin raise exception 'the machine is gone'; end $$`)
  await doors.db.query(
    'create trigger crash before insert on signing_key for each row execute function crash()',
  )
  try {
    for (const intent of ['webhook.rotate', 'webhook.revoke']) {
      expect((await call(intent, { id })).code).toBe('internal_error')
    }
    expect(await signingAt(new Date())).toEqual([first])
    expect(await signingAt(inHours(100))).toEqual([first])
    expect(signals()).toEqual([])
  } finally {
    await doors.db.query('drop trigger crash on signing_key')
  }
  expect((await call('webhook.rotate', { id })).code).toBe('ok')
})
