import { MockActivityEnvironment } from '@temporalio/testing'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClockActivities } from '../../activities/clocks.ts'
import type { Reached } from '../../src/clocks/rules/turns.ts'
import { insertClock, updateTarget } from '../../src/clocks/store/clocks.ts'
import { takeTurn } from '../../src/clocks/store/turns.ts'
import type { ClockPart } from '../../src/contract/clock-part.ts'
import type { NetworkEngine } from '../../src/network.ts'
import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { insertSandbox } from '../../src/sandbox/store/sandboxes.ts'
import { makeKey } from '../support/agent.ts'
import { createDatabase, openTestPool, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/programs.ts'

const DAY_MS = 86_400_000

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 10)
})
afterAll(async () => {
  await db.end()
  await database.drop()
})

const openOwner = async () => (await makeKey(db, 'free')).accountId

/** A clock moving to the next day; on a `slow` clock, a due item never finishes. */
const movingClock = (liveAccountId: string, name: 'slow' | 'quick') =>
  transaction(db, async (tx) => {
    const at = new Date()
    const accountId = await insertSandbox(tx, { liveAccountId, kind: 'clock', at })
    await insertClock(tx, { accountId, name, aheadMs: 0, at })
    await updateTarget(tx, accountId, new Date(at.getTime() + DAY_MS))
    return accountId
  })

const slowOnes: ClockPart = {
  due: (id) =>
    sql`(select created_at from test_clock s where s.account_id = ${id} and name = 'slow')`,
  tell: async () => {},
}

/** A process that moves clocks. */
function openProcess(part = slowOnes) {
  const deps = { db, engine: {} as NetworkEngine, log: createLog('silent'), heldDays: 30 }
  const { advanceClock } = createClockActivities({ ...deps, clockParts: [part] })
  return (clock: string): Promise<Reached> =>
    new MockActivityEnvironment().run(() => advanceClock(clock, true))
}

test('forty accounts whose clocks wait for something slow do not stop the others', async () => {
  const slow = await Promise.all(
    Array.from({ length: 40 }, async () => movingClock(await openOwner(), 'slow')),
  )
  const turn = openProcess()
  let isOver = false
  const waiters = slow.map(async (clock) => {
    const reached = new Set<Reached>()
    while (!isOver) reached.add(await turn(clock))
    return reached
  })
  const quick = await movingClock(await openOwner(), 'quick')
  const begun = performance.now()
  while ((await turn(quick)) !== 'ready');
  expect(performance.now() - begun).toBeLessThan(30_000)
  isOver = true
  for (const reached of await Promise.all(waiters)) {
    expect([...reached].filter((how) => how !== 'busy')).toEqual(['waiting'])
  }
})

test('one clock of an account moves at a time, in whichever process', async () => {
  const owner = await openOwner()
  const [one, other] = await Promise.all([movingClock(owner, 'slow'), movingClock(owner, 'quick')])
  let told = 0
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const holding = openProcess({
    ...slowOnes,
    async tell() {
      told += 1
      await held
    },
  })
  const elsewhere = openProcess()
  const first = holding(one)
  await eventually('the first clock to have its turn', async () => told > 0)
  expect(await elsewhere(other)).toBe('busy')
  const stranger = await movingClock(await openOwner(), 'quick')
  expect(await elsewhere(stranger)).toBe('ready')
  goOn()
  expect(await first).toBe('waiting')
  expect(await elsewhere(other)).toBe('ready')
})

test('the turn of a process that died passes to others when it expires', async () => {
  const owner = await openOwner()
  const [one, other] = await Promise.all([movingClock(owner, 'quick'), movingClock(owner, 'quick')])
  const turn = openProcess()
  const until = (ms: number) => ({ owner, clockId: one, at: new Date(), until: new Date(ms) })
  await takeTurn(db, until(Date.now() + DAY_MS))
  expect(await turn(other)).toBe('busy')
  await takeTurn(db, until(Date.now()))
  expect(await turn(other)).toBe('ready')
  expect(await turn(one)).toBe('ready')
})

test('a clock deleted while moving stops', async () => {
  const clock = await movingClock(await openOwner(), 'slow')
  const turn = openProcess()
  expect(await turn(clock)).toBe('waiting')
  await db.query('delete from test_clock where account_id = $1', [clock])
  expect(await turn(clock)).toBe('ready')
})
