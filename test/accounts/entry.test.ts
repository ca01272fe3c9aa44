import { randomUUIDv7 } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { QueryConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount, insertKey } from '../../src/accounts/store/accounts.ts'
import { enterWithKey } from '../../src/accounts/store/authentication.ts'
import { hashKey, newRawKey } from '../../src/accounts/store/key-secret.ts'
import { revokeKeyTree } from '../../src/accounts/store/keys.ts'
import { takeQuota } from '../../src/accounts/store/quota.ts'
import { createIdentify, createRecentHolders } from '../../src/doors/guards/authentication.ts'
import { createEnter } from '../../src/doors/guards/entry.ts'
import { createQuota } from '../../src/doors/guards/quota.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createSharedDatabase } from '../support/database.ts'

const at = new Date('2026-11-22T10:00:00Z')
const day = '2026-11-22'
const perDay = { free: 10, pro: 100, test: 50 }

let pools: Pool[]
let close: () => Promise<void>

beforeAll(async () => {
  ;({ pools, close } = await createSharedDatabase(3))
})
afterAll(() => close())

/** The key of a new account with this many requests today; null: no row for today. */
async function newKey(of: {
  tier: 'free' | 'pro'
  used: number | null
  requestsPerDay?: number
  expiresAt?: Date
  raw?: string
}) {
  const [db] = pools as [Pool]
  const { tier, used, requestsPerDay, expiresAt = null, raw = newRawKey() } = of
  const [id, accountId, hash] = [randomUUIDv7(), randomUUIDv7(), hashKey(raw)]
  const own = requestsPerDay === undefined ? {} : { requestsPerDay }
  await insertAccount(db, { id: accountId, name: 'test', tier, at, ...own })
  await insertKey(db, { id, accountId, name: 'test', hash, hint: 'abcd', expiresAt, at })
  if (used !== null) {
    await takeQuota(db, { accountId, mode: 'live', day, count: used, limit: used })
  }
  const enter = (count: number, pool = db) =>
    enterWithKey(pool, { hash, at, day, count, perDay, networks: [] })
  const usedNow = async () =>
    (await db.query('select used from quota_day where account_id = $1', [accountId])).rows[0]?.used
  return { id, accountId, enter, usedNow }
}

test('a valid key is recognised and its requests are counted in one statement', async () => {
  const key = await newKey({ tier: 'free', used: 3 })
  expect(await key.enter(2)).toMatchObject({
    key_id: key.id,
    id: key.accountId,
    tier: 'free',
    requests_per_day: null,
    used: 5,
  })
  expect(await key.usedNow()).toBe(5)
})

test.each([
  { name: 'free', of: { tier: 'free' }, limit: 10 },
  { name: 'pro', of: { tier: 'pro' }, limit: 100 },
  { name: 'its own', of: { tier: 'pro', requestsPerDay: 4 }, limit: 4 },
] as const)('nothing is counted above the limit: $name', async ({ of, limit }) => {
  const key = await newKey({ ...of, used: limit - 1 })
  expect(await key.enter(2)).toMatchObject({ used: null })
  expect(await key.usedNow()).toBe(limit - 1)
  expect(await key.enter(1)).toMatchObject({ used: limit })
})

test('an account without a request today is recognised, and nothing is counted', async () => {
  const key = await newKey({ tier: 'free', used: null })
  expect(await key.enter(1)).toMatchObject({ id: key.accountId, used: null })
  expect(await key.usedNow()).toBeUndefined()
})

test('revoked, expired and unknown keys count nothing', async () => {
  const [db] = pools as [Pool]
  const revoked = await newKey({ tier: 'free', used: 1 })
  await revokeKeyTree(db, revoked.id, at)
  const expired = await newKey({ tier: 'free', used: 1, expiresAt: at })
  for (const key of [revoked, expired]) {
    expect(await key.enter(1)).toBeUndefined()
    expect(await key.usedNow()).toBe(1)
  }
  const unknown = { hash: hashKey(newRawKey()), at, day, count: 1, perDay, networks: [] }
  expect(await enterWithKey(db, unknown)).toBeUndefined()
})

test('concurrent processes grant exactly the limit', async () => {
  const key = await newKey({ tier: 'pro', used: 40 })
  const entered = await Promise.all(
    Array.from({ length: 90 }, (_, index) => key.enter(1, pools[index % 3])),
  )
  const used = entered.flatMap((one) => one?.used ?? []).sort((one, other) => one - other)
  expect(used).toEqual(Array.from({ length: 60 }, (_, index) => 41 + index))
  expect(await key.usedNow()).toBe(100)
})

test('a known key costs one statement, and invented keys share their lookups', async () => {
  const raw = newRawKey()
  const { accountId } = await newKey({ tier: 'free', used: 0, raw })
  let statements = 0
  const [pool] = pools as [Pool]
  const query = (statement: QueryConfig) => {
    statements += 1
    return pool.query(statement)
  }
  const db = { query } as unknown as Pool
  const recent = createRecentHolders()
  const [identify, takeQuota] = [createIdentify(db, recent), createQuota(db, perDay)]
  const lookUp = createEnter(db, perDay, { identify, recent })
  const enter = async (request: FastifyRequest, at: Date) => {
    const entered = await lookUp(request, at)
    return entered && { allowance: entered.allowance ?? (await takeQuota(entered.holder, at)) }
  }
  const request = (key: string) =>
    ({ headers: { authorization: `Bearer ${key}` }, routeOptions: {} }) as FastifyRequest
  const remainingOf = async (asked: ReturnType<typeof enter>) => (await asked)?.allowance.remaining

  expect(await remainingOf(enter(request(raw), at))).toBe(9)
  expect(statements).toBe(2)
  const together = [1, 2, 3].map(() => remainingOf(enter(request(raw), at)))
  expect(await Promise.all(together)).toEqual([8, 7, 6])
  expect(statements).toBe(3)

  const madeUp = Array.from({ length: 50 }, () => enter(request(newRawKey()), at))
  const refused = await Promise.allSettled(madeUp)
  expect(refused.every(({ status }) => status === 'rejected')).toBe(true)
  expect(statements).toBe(4)

  const last = Array.from({ length: 8 }, () => enter(request(raw), at))
  const granted = (await Promise.all(last)).map((one) => one?.allowance.granted)
  expect(granted.filter(Boolean)).toHaveLength(6)
  const { rows } = await pool.query('select used from quota_day where account_id = $1', [accountId])
  expect(rows).toEqual([{ used: 10 }])
})
