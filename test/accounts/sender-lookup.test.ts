import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectKeyHolders } from '../../src/accounts/store/authentication.ts'
import { hashKey } from '../../src/accounts/store/key-secret.ts'
import { insertAgent } from '../../src/agents/store/agents.ts'
import { createCheckSender } from '../../src/doors/guards/sender.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { makeKey } from '../support/agent.ts'
import { createDatabase } from '../support/database.ts'

let db: Pool
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 5, () => {})
  drop = database.drop
})
afterAll(async () => {
  await db.end()
  await drop()
})

/** A separate process that counts its database queries. */
function openProcess(cachedNames?: number) {
  let asked = 0
  const query = ((...statement: [string]) => {
    asked += 1
    return db.query(...statement)
  }) as Pool['query']
  const judge = createCheckSender({ query }, cachedNames)
  return {
    asked: () => asked,
    judge,
    /** The outcome of a call with this key from this sender; the key is always looked up first. */
    async call({ key, accountId }: { key: string; accountId: string }, from: string) {
      const [found] = await selectKeyHolders(db, [hashKey(key)], new Date())
      if (!found) throw new Error('no such key')
      const holder = { ...found, keyId: found.key_id, requestsPerDay: null }
      if (found.id !== accountId) throw new Error('another account')
      return judge(from, holder).then(
        () => 'ok',
        (error) => error.data.code,
      )
    },
  }
}

const register = (accountId: string, name: string) =>
  insertAgent(
    db,
    accountId,
    {
      name,
      description: 'test',
      capabilities: [],
      version: '1.0.0',
      visibility: 'public',
      a2a_url: null,
      mcp_url: null,
      homepage: null,
    },
    new Date(),
  )

test('a known sender costs no statement, registered or not', async () => {
  const caller = await makeKey(db, 'free')
  await register(caller.accountId, 'known-one')
  const { asked, call } = openProcess()
  for (const from of ['agent://known-one', 'agent://nobodys']) {
    expect(await call(caller, from)).toBe('ok')
  }
  const before = asked()
  for (const from of ['agent://known-one', 'agent://nobodys', 'agent://Known-One']) {
    expect(await call(caller, from)).toBe('ok')
  }
  expect(asked()).toBe(before)
})

test('no caller can send a name that passes for the network, only those in examples', async () => {
  const caller = await makeKey(db, 'free')
  const { call } = openProcess()
  for (const name of [
    'admin',
    'Operator',
    'support',
    'venue-network',
    'adm1n',
    'sys-tem',
    'public',
  ]) {
    expect(await call(caller, `agent://${name}`)).toBe('agent_mismatch')
  }
  for (const name of ['demo', 'my-agent', 'example']) {
    expect(await call(caller, `agent://${name}`)).toBe('ok')
  }
})

test('every process learns of a registration at its next lookup of a key', async () => {
  const [owner, other] = [await makeKey(db, 'free'), await makeKey(db, 'free')]
  const processes = [openProcess(), openProcess(), openProcess()]
  for (const { call } of processes) expect(await call(other, 'agent://late')).toBe('ok')
  await register(owner.accountId, 'late')
  for (const { call } of processes) {
    expect(await call(other, 'agent://late')).toBe('agent_mismatch')
    expect(await call(owner, 'agent://late')).toBe('ok')
  }
})

test('an account keeps 1,000 names by sending them, and can send more', async () => {
  const caller = await makeKey(db, 'free')
  await db.query(
    `insert into agent_name (name, account_id, is_registered, used_at)
     select 'one-of-many-' || n, $1, false, now() from generate_series(1, 999) n`,
    [caller.accountId],
  )
  const { asked, call } = openProcess()
  for (const name of ['the-1000th', 'the-1001st']) {
    expect(await call(caller, `agent://${name}`)).toBe('ok')
  }
  const before = asked()
  expect(await call(caller, 'agent://the-1001st')).toBe('ok')
  expect(asked()).toBe(before)
  const { rows } = await db.query(`select name from agent_name where name like 'the-1%'`)
  expect(rows).toEqual([{ name: 'the-1000th' }])
})

test('further names evict the least recently used ones, not all of them', async () => {
  const { key } = await makeKey(db, 'free')
  const [found] = await selectKeyHolders(db, [hashKey(key)], new Date())
  if (!found) throw new Error('no such key')
  const { asked, judge } = openProcess(100)
  const send = (name: string) => judge(`agent://${name}`, found)
  for (const name of ['once', 'often']) await send(name)
  await Promise.all(Array.from({ length: 98 }, (_, n) => send(`other-${n}`)))
  const before = asked()
  await send('often')
  await send('other-97')
  expect(asked()).toBe(before)
  await send('one-more')
  const afterwards = asked()
  await send('often')
  expect(asked()).toBe(afterwards)
  await send('once')
  expect(asked()).toBeGreaterThan(afterwards)
})
