import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { takeQuota } from '../../src/accounts/store/quota.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createSharedDatabase } from '../support/database.ts'

let pools: Pool[]
let close: () => Promise<void>

beforeAll(async () => {
  ;({ pools, close } = await createSharedDatabase(3))
})
afterAll(() => close())

async function newAccount(): Promise<string> {
  const id = randomUUIDv7()
  await insertAccount(pools[0] as Pool, { id, name: 'test', tier: 'free', at: new Date() })
  return id
}

test('concurrent processes are granted exactly the limit', async () => {
  const accountId = await newAccount()
  const day = '2026-11-21'
  const taken = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      takeQuota(pools[index % 3] as Pool, {
        accountId,
        mode: 'live',
        day,
        count: 1 + (index % 4),
        limit: 100,
      }),
    ),
  )
  expect(taken.reduce((sum, { granted }) => sum + granted, 0)).toBe(100)
  expect(Math.max(...taken.map(({ used }) => used))).toBe(100)
})

test('a limit below the usage grants nothing and subtracts nothing', async () => {
  const request = {
    accountId: await newAccount(),
    mode: 'live' as const,
    day: '2026-11-21',
    count: 8,
  }
  const [db] = pools as [Pool]
  expect(await takeQuota(db, { ...request, limit: 10 })).toEqual({ granted: 8, used: 8 })
  expect(await takeQuota(db, { ...request, limit: 5 })).toEqual({ granted: 0, used: 8 })
  expect(await takeQuota(db, { ...request, limit: 10 })).toEqual({ granted: 2, used: 10 })
})

test('the count restarts every day', async () => {
  const request = { accountId: await newAccount(), mode: 'live' as const, count: 3, limit: 3 }
  const [db] = pools as [Pool]
  for (const day of ['2026-11-21', '2026-11-22']) {
    expect(await takeQuota(db, { ...request, day })).toEqual({ granted: 3, used: 3 })
  }
})
