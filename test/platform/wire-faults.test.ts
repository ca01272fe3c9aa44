import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool, transaction } from '../../src/platform/database/sql.ts'
import { isDatabaseUnavailable } from '../../src/platform/database/unavailable.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/programs.ts'
import { openDatabaseProxy } from '../support/tcp-proxy.ts'

let database: TestDatabase
let admin: Pool
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  database = await createDatabase('empty')
  admin = openPool(database.url, 1, () => {})
  await admin.query('create table note (text text)')
})

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

afterAll(async () => {
  await admin?.end()
  await database?.drop()
})

/** A pool of one connection behind a proxy. */
async function openWire(limits = { statementMs: 1_000, patienceMs: 5_000 }) {
  const proxy = await openDatabaseProxy(database.url)
  const watch = {
    maxWaiting: 100,
    waited: () => {},
    refused: () => {},
    statement: <T>(_: string, run: () => Promise<T>) => run(),
  }
  const pool = openPool(proxy.url, 1, () => {}, watch, limits)
  closing.push(async () => {
    await pool.end()
    await proxy.close()
  })
  const works = () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    )
  return { pool, proxy, recovers: () => eventually('an answer', works) }
}

/** The error of work that must fail because the database is unavailable. */
async function unavailability(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Error)
  expect({ error, isDatabaseUnavailable: isDatabaseUnavailable(error) }).toMatchObject({
    isDatabaseUnavailable: true,
  })
  return error as Error
}

test('a statement without an answer ends, and its connection is not used again', async () => {
  const { pool, proxy, recovers } = await openWire()
  await pool.query('select 1')
  proxy.freeze()
  await unavailability(pool.query('select 1'))
  await unavailability(pool.query('select 1'))
  proxy.thaw()
  await recovers()
})

test('a transaction without an answer ends at once, and leaves nothing behind', async () => {
  const { pool, proxy, recovers } = await openWire()
  const reached = proxy.freezeAt({ direction: 'request', text: 'insert into note', occurrence: 1 })
  const writing = transaction(pool, (tx) => tx.query(`insert into note values ('lost')`))
  await reached
  await unavailability(writing)
  expect(pool.totalCount).toBe(0)
  proxy.thaw()
  await recovers()
  expect((await pool.query('select from note')).rowCount).toBe(0)
})

test('PostgreSQL ends the transaction and locks of a client that fell silent', async () => {
  const { pool, proxy } = await openWire()
  const reached = proxy.freezeAt({ direction: 'request', text: 'insert into note', occurrence: 1 })
  const writing = transaction(pool, async (tx) => {
    await tx.query('lock table note in access exclusive mode')
    await tx.query(`insert into note values ('lost')`)
  })
  await reached
  await unavailability(writing)
  expect((await admin.query('select from note')).rowCount).toBe(0)
})

test('a slow wire gets answers as long as they come in time', async () => {
  const { pool, proxy, recovers } = await openWire()
  await pool.query('select 1')
  proxy.delay(100)
  expect((await pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  proxy.delay(5_000)
  await unavailability(pool.query('select 1'))
  proxy.delay(0)
  await recovers()
})

test('a cut connection fails its statement, and the next one gets another', async () => {
  const { pool, proxy, recovers } = await openWire({ statementMs: 30_000, patienceMs: 5_000 })
  const slow = unavailability(pool.query('select pg_sleep(20)'))
  await eventually('the statement to run', async () => {
    const { rows } = await admin.query(
      `select from pg_stat_activity where query like '%pg_sleep(20)%' and pid <> pg_backend_pid()`,
    )
    return rows.length > 0
  })
  proxy.cut()
  await slow
  await recovers()
})

test('a connection that ends as it becomes ready fails its caller, not the process', async () => {
  const { pool, proxy, recovers } = await openWire()
  proxy.endWhenReady(2)
  await unavailability(pool.query('select 1'))
  await unavailability(transaction(pool, (tx) => tx.query('select 1')))
  await recovers()
})

test('a session ended between two statements counts as an unavailable database', async () => {
  const { pool, recovers } = await openWire()
  const work = transaction(pool, async (tx) => {
    const { rows } = await tx.query('select pg_backend_pid() as pid')
    await admin.query('select pg_terminate_backend($1, 5000)', [rows[0].pid])
    await eventually('the end to arrive', async () => {
      await new Promise(setImmediate)
      return tx.query('select 1').then(
        () => false,
        () => true,
      )
    })
    await tx.query('select 1')
  })
  await unavailability(work)
  await recovers()
})

test('a statement that times out counts as an unavailable database', async () => {
  const { pool, recovers } = await openWire()
  const error = await unavailability(pool.query('select pg_sleep(20)'))
  expect(error).toMatchObject({ code: '57014' })
  await recovers()
})
