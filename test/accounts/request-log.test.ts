import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoiceAndPruneAccounts } from '../../src/accounts/steps/invoice-and-prune.ts'
import { insertAccount, insertKey } from '../../src/accounts/store/accounts.ts'
import { hashKey, newRawKey } from '../../src/accounts/store/key-secret.ts'
import { movePlan } from '../../src/accounts/store/plans.ts'
import { insertCalls, type RequestLogEntry } from '../../src/accounts/store/request-log.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createDatabase } from '../support/database.ts'

const log = createLog('silent')

let db: Pool
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 8, () => {})
  drop = database.drop
})
afterAll(async () => {
  await db?.end()
  await drop?.()
})

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

async function openAccount(tier: 'free' | 'pro' = 'free') {
  const accountId = randomUUIDv7()
  const keyId = randomUUIDv7()
  const at = new Date()
  await insertAccount(db, { id: accountId, name: 'test', tier, at })
  const raw = newRawKey()
  await insertKey(db, { id: keyId, accountId, name: 'a', hash: hashKey(raw), hint: 'abcd', at })
  return { accountId, keyId }
}

const callOf = (
  { accountId, keyId }: { accountId: string; keyId: string },
  changes: Partial<RequestLogEntry> = {},
): RequestLogEntry => ({
  account_id: accountId,
  key_id: keyId,
  request_id: randomUUID(),
  at: new Date(),
  door: 'rest',
  operation: 'ping',
  code: 'ok',
  ms: 1.25,
  from_agent: null,
  calls: 1,
  ...changes,
})

const countsOf = async (accountId: string) =>
  (
    await db.query('select code, calls from usage_day where account_id = $1 order by day, code', [
      accountId,
    ])
  ).rows

const lastUse = async (keyId: string) =>
  (await db.query('select last_used_at, last_used_door from api_key where id = $1', [keyId]))
    .rows[0]

test('a call written twice is neither listed nor counted again', async () => {
  const account = await openAccount()
  const calls = [callOf(account), callOf(account, { code: 'not_found', calls: 3 })]
  await insertCalls(db, calls)
  await insertCalls(db, [...calls, callOf(account)])
  expect(await countsOf(account.accountId)).toEqual([
    { code: 'not_found', calls: 3 },
    { code: 'ok', calls: 2 },
  ])
})

test('a key’s last use is updated at most once a minute', async () => {
  const account = await openAccount()
  const first = new Date()
  const after = (seconds: number) => new Date(first.getTime() + seconds * 1_000)
  await insertCalls(db, [callOf(account, { at: first, door: 'a2a' })])
  await insertCalls(db, [callOf(account, { at: after(59), door: 'mcp' })])
  expect(await lastUse(account.keyId)).toEqual({ last_used_at: first, last_used_door: 'a2a' })
  await insertCalls(db, [
    callOf(account, { at: after(70), door: 'mcp' }),
    callOf(account, { at: after(61) }),
  ])
  expect(await lastUse(account.keyId)).toEqual({ last_used_at: after(70), last_used_door: 'mcp' })
})

test('concurrent writes of calls of the same accounts do not deadlock', async () => {
  const accounts = await Promise.all(Array.from({ length: 10 }, () => openAccount()))
  const batches = Array.from({ length: 40 }, (_, n) => {
    const calls = accounts.map((account) => callOf(account))
    return n % 2 === 0 ? calls : calls.toReversed()
  })
  await Promise.all(batches.map((calls) => insertCalls(db, calls)))
  for (const { accountId } of accounts) {
    expect(await countsOf(accountId)).toEqual([{ code: 'ok', calls: 40 }])
  }
})

test('a call without a key is counted, and updates no key', async () => {
  const account = await openAccount()
  await insertCalls(db, [callOf(account, { key_id: null })])
  expect(await countsOf(account.accountId)).toEqual([{ code: 'ok', calls: 1 }])
  expect((await lastUse(account.keyId)).last_used_at).toBeNull()
})

test('requests are erased after a week, their counts after 400 days', async () => {
  const account = await openAccount()
  await insertCalls(
    db,
    [6, 8, 399, 402].map((days) => callOf(account, { at: daysAgo(days) })),
  )
  const { calls, counts } = await invoiceAndPruneAccounts({ db, log }, 4900, new Date())
  expect({ calls, counts }).toEqual({ calls: 3, counts: 1 })
  const { rows } = await db.query('select at from request_log where account_id = $1', [
    account.accountId,
  ])
  expect(rows).toHaveLength(1)
  expect(await countsOf(account.accountId)).toHaveLength(3)
})

test('each pro account is invoiced once for a month', async () => {
  const stays = await openAccount('pro')
  const leaves = await openAccount('pro')
  await openAccount('free')
  const inMarch = new Date('2027-03-01T00:30:00Z')
  const move = { accountId: leaves.accountId, by: 'developer', proMonthlyMinor: 4900 } as const
  await movePlan(db, { ...move, to: 'free', at: new Date('2027-02-28T23:00:00Z') })
  await invoiceAndPruneAccounts({ db, log }, 4900, inMarch)
  expect((await invoiceAndPruneAccounts({ db, log }, 4900, inMarch)).invoices).toBe(0)
  await movePlan(db, { ...move, to: 'pro', at: new Date('2027-03-20T12:00:00Z') })
  await invoiceAndPruneAccounts({ db, log }, 4900, new Date('2027-04-01T00:00:00Z'))
  const { rows } = await db.query(
    `select account_id, to_char(month, 'YYYY-MM') as month, amount_minor from plan_period
     where account_id = any($1) order by month, account_id`,
    [[stays.accountId, leaves.accountId]],
  )
  const both = [stays.accountId, leaves.accountId].sort()
  const of = (month: string) => (account_id: string) => ({ account_id, month, amount_minor: 4900 })
  expect(rows).toEqual([
    of('2027-02')(leaves.accountId),
    ...both.map(of('2027-03')),
    ...both.map(of('2027-04')),
  ])
})
