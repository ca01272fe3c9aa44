import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keysMade } from '../../src/accounts/operations/own-key.ts'
import { insertKey } from '../../src/accounts/store/accounts.ts'
import { hashKey, newRawKey } from '../../src/accounts/store/key-secret.ts'
import { lockKeysOf, revokeKeyTree, updateKeyReplaced } from '../../src/accounts/store/keys.ts'
import { scopes } from '../../src/base/scopes.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { type Call, callsAt, webhookDoors } from '../support/endpoint-calls.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { addKey, bearer, type Doors, type Holder, openDoors } from '../support/open-doors.ts'

let doors: Doors
let holder: Holder

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

beforeEach(async () => {
  holder = await doors.openAccount('pro')
  await doors.db.query('update api_key set scopes = $2 where id = $1', [holder.keyId, scopes])
})

const callAt = (door: (typeof webhookDoors)[number]): Call =>
  callsAt(
    door,
    () => doors,
    () => holder,
  )
const call = callAt('REST')

const statusWith = async (key: string): Promise<number> =>
  (await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })).status

describe.each(webhookDoors)('at %s', (door) => {
  test('a key that expires at the latest possible time is rolled to the same expiry', async () => {
    const call = callAt(door)
    const forever = '9999-12-31T23:59:59Z'
    const { body: made } = await call('key.create', { name: 'till', expires_at: forever })
    await doors.db.query(
      `update api_key set created_at = created_at - interval '2 days' where id = $1`,
      [made.key.id],
    )
    const rolled = await call('key.roll', { id: made.key.id })
    expect(rolled.code).toBe('ok')
    expect(Date.parse(rolled.body.key.expires_at)).toBe(Date.parse(forever))
    expect(await statusWith(rolled.body.raw_key)).toBe(200)
    expect((await call('key.list')).body.keys).toHaveLength(3)
    expect((await call('key.revoke', { id: rolled.body.key.id })).body.key.status).toBe('revoked')
  })
})

describe('with a hundred valid keys', () => {
  beforeEach(async () => {
    await Promise.all(Array.from({ length: 99 }, () => addKey(doors.db, holder.accountId)))
  })

  test('a leaked key can be rolled without an overlap, because the old one ends', async () => {
    const leaked = await doors.db.query(
      'select id from api_key where account_id = $1 and id <> $2 limit 1',
      [holder.accountId, holder.keyId],
    )
    const { id } = leaked.rows[0]
    expect((await call('key.roll', { id, overlap_hours: 1 })).code).toBe('key_limit')
    const rolled = await call('key.roll', { id, overlap_hours: 0 })
    expect(rolled.body).toMatchObject({
      key: { status: 'active' },
      previous: { status: 'expired' },
    })
    expect((await call('key.create', { name: 'one more' })).code).toBe('key_limit')
  })
})

test('keys created and revoked are limited per day', async () => {
  const makeMore = () => call('key.create', { name: 'again' })
  const { body } = await makeMore()
  await doors.db.query('update throttle_window set tries = $1', [keysMade.most])
  const refused = await makeMore()
  expect(refused).toMatchObject({ status: 429, code: 'too_many_tries' })
  expect(refused.body.retry_after).toBeGreaterThan(86_000)
  expect((await call('key.roll', { id: body.key.id })).code).toBe('too_many_tries')
  expect((await call('key.revoke', { id: body.key.id })).code).toBe('ok')
  expect((await call('key.list')).body.keys).toHaveLength(2)
})

describe('a key that is revoked while it is rolled', () => {
  test('is revoked afterwards, and the answer names its successor', async () => {
    const { keyId } = await addKey(doors.db, holder.accountId)
    const successor = randomUUIDv7()
    const { revoking } = await transaction(doors.db, async (tx) => {
      await lockKeysOf(tx, holder.accountId)
      const revoking = call('key.revoke', { id: keyId })
      await untilWaiting(doors.db, 1)
      const raw = newRawKey()
      const at = new Date()
      const hidden = { hash: hashKey(raw), hint: raw.slice(-4) }
      const { accountId } = holder
      await insertKey(tx, { id: successor, accountId, name: 'next', ...hidden, at })
      await updateKeyReplaced(tx, keyId, { by: successor, endsAt: at })
      return { revoking }
    })
    const { key } = (await revoking).body
    expect(key).toMatchObject({ status: 'revoked', replaced_by: successor })
  })

  test('gets no successor if it is revoked before the roll', async () => {
    const { keyId } = await addKey(doors.db, holder.accountId)
    const { rolling } = await transaction(doors.db, async (tx) => {
      await lockKeysOf(tx, holder.accountId)
      await revokeKeyTree(tx, keyId, new Date())
      const rolling = call('key.roll', { id: keyId })
      await untilWaiting(doors.db, 1)
      return { rolling }
    })
    expect((await rolling).code).toBe('key_ended')
  })
})
