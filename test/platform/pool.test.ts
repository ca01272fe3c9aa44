import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openPool, type Pool, together } from '../../src/platform/database/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/programs.ts'

let database: TestDatabase
let pool: Pool
let refusals = 0
const waits: number[] = []
const statements: string[] = []

beforeAll(async () => {
  database = await createDatabase('empty')
  pool = openPool(database.url, 1, () => {}, {
    maxWaiting: 2,
    waited: (seconds) => waits.push(seconds),
    refused: () => {
      refusals += 1
    },
    statement: (text, run) => {
      statements.push(text)
      return run()
    },
  })
})

afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

const overloaded = { data: { code: 'overloaded', facts: { retry_after: 2 } } }

test('a caller beyond the queue limit is refused at once; queued callers are served', async () => {
  const slow = pool.query('select pg_sleep(0.3)')
  const waiting = [pool.query('select 1 as n'), pool.query('select 2 as n')]
  await expect(pool.query('select 3')).rejects.toMatchObject(overloaded)
  await expect(pool.connect()).rejects.toMatchObject(overloaded)
  await slow
  const answers = await Promise.all(waiting)
  expect(answers.map(({ rows }) => rows[0].n)).toEqual([1, 2])
  expect(refusals).toBe(2)
  expect(waits).toHaveLength(3)
  expect(statements).toEqual(['select pg_sleep(0.3)', 'select 1 as n', 'select 2 as n'])
})

test('a caller is refused after waiting 5 s for a busy pool', async () => {
  const slow = pool.query('select pg_sleep(6)')
  await expect(pool.query('select 1')).rejects.toMatchObject(overloaded)
  await slow
})

test('a failed statement leaves its connection usable, a broken connection is not', async () => {
  const pidOf = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid
  const pid = await pidOf()
  await expect(pool.query('select 1 / 0')).rejects.toThrow('division by zero')
  expect(await pidOf()).toBe(pid)
  const end = pool.query('select pg_terminate_backend(pg_backend_pid())')
  await expect(end).rejects.toThrow()
  expect(await eventually('a new connection', () => pidOf().catch(() => undefined))).not.toBe(pid)
})

test('a connection outlives pauses in housekeeping, but not an idle quarter of an hour', () => {
  // Fake timers would also affect a service that other files in this process share.
  const { idleTimeoutMillis } = pool.options
  expect(idleTimeoutMillis).toBeGreaterThan(60_000)
  expect(idleTimeoutMillis).toBeLessThan(15 * 60_000)
})

test('statements that travel together leave in one write', async () => {
  const client = await pool.connect()
  const { stream } = (client as pg.PoolClient & pg.Client).connection
  const write = vi.spyOn(stream, '_write')
  const writeAll = vi.spyOn(stream as Required<typeof stream>, '_writev')
  try {
    const sent = [client.query('select 1 as n'), client.query('select $1::int as n', [2])]
    const answers = await together(...sent)
    expect(answers.map(({ rows }) => rows[0].n)).toEqual([1, 2])
    expect([write.mock.calls.length, writeAll.mock.calls.length]).toEqual([0, 1])
  } finally {
    client.release()
  }
})
