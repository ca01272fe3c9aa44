import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { openPool, query, transaction } from '../../src/platform/database/sql.ts'
import { findSlot } from '../support/agent.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openService } from '../support/network.ts'
import { hasPgBouncer, keepsStatements, openPgBouncer } from '../support/pgbouncer.ts'
import { eventually, startProgram } from '../support/programs.ts'

const pooled = test.skipIf(!hasPgBouncer)
let bouncer: Awaited<ReturnType<typeof openPgBouncer>>
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  const settings = keepsStatements ? ['max_prepared_statements = 1000'] : []
  if (hasPgBouncer) bouncer = await openPgBouncer(inject('databaseUrl'), settings)
})
afterAll(async () => {
  await bouncer?.close()
  await database?.drop()
})

const openPooled = (max: number, settings: Record<string, string> = {}) =>
  openPool(bouncer.before(database.url), max, () => {}, undefined, {
    statementMs: 1_500,
    settings,
    pooler: 'transaction',
  })

const numberRow = z.object({ n: z.int() })
const countRow = z.object({ n: z.coerce.number() })
const settingRow = z.object({ value: z.string() })

pooled('statements that several connections share keep no name', async () => {
  const db = openPooled(12)
  const read = (n: number) => query.row(db, numberRow)`select ${n}::int as n`
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => read(n)))
  expect(answers.map(({ n }) => n)).toEqual(Array.from({ length: 60 }, (_, n) => n))
  const inside = await transaction(db, (tx) => query.row(tx, numberRow)`select ${7}::int as n`)
  expect(inside.n).toBe(7)
  await db.end()
})

pooled('settings hold in each transaction, and are left to nobody else', async () => {
  const db = openPooled(4, { enable_seqscan: 'off' })
  const plain = openPool(bouncer.before(database.url), 4, () => {}, undefined, {
    pooler: 'transaction-prepared',
  })
  const setting = async (pool: typeof db, name: string) =>
    (await query.row(pool, settingRow)`select current_setting(${name}) as value`).value
  for (let turn = 0; turn < 5; turn++) {
    expect(await setting(db, 'statement_timeout')).toBe('1500ms')
    expect(await setting(db, 'idle_in_transaction_session_timeout')).toBe('1500ms')
    expect(await setting(db, 'TimeZone')).toBe('UTC')
    expect(await setting(db, 'enable_seqscan')).toBe('off')
    expect((await plain.query('show enable_seqscan')).rows[0].enable_seqscan).toBe('on')
  }
  await expect(db.query('select pg_sleep(30)')).rejects.toMatchObject({ code: '57014' })
  await db.end()
  await plain.end()
})

pooled('a failed statement leaves nothing behind for the next', async () => {
  const db = openPooled(1)
  await expect(db.query('select 1 / 0')).rejects.toThrow('division by zero')
  const failing = transaction(db, async (tx) => {
    await query.rows(tx, numberRow)`select 1 as n`
    throw new Error('ours')
  })
  await expect(failing).rejects.toThrow('ours')
  expect((await db.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  await db.end()
})

test.skipIf(!keepsStatements)(
  'a pooler that keeps prepared statements runs them by name on any connection',
  async () => {
    const db = openPool(bouncer.before(database.url), 12, () => {}, undefined, {
      pooler: 'transaction-prepared',
    })
    const named = () => query.row(db, countRow)`
      select count(*) as n from pg_prepared_statements where statement like '%pg_prepared%'`
    for (let turn = 0; turn < 20; turn += 1) {
      const counts = await Promise.all(Array.from({ length: 30 }, named))
      // Each of the pooler's four connections has the statement once, whichever client sent it.
      if (turn > 0) expect(new Set(counts.map(({ n }) => n))).toEqual(new Set([1]))
    }
    const inside = await transaction(db, (tx) => query.row(tx, numberRow)`select ${7}::int as n`)
    expect(inside.n).toBe(7)
    await db.end()
  },
)

const modes = ['transaction', ...(keepsStatements ? ['transaction-prepared'] : [])]

pooled.each(modes)('bookings run through a pooler of mode %s, and are delivered', async (mode) => {
  const direct = await createDatabase()
  const service = await openService({
    DATABASE_URL: bouncer.before(direct.url),
    DATABASE_POOLER: mode,
  })
  const { agent } = service
  const slot = await findSlot(agent, 'restaurant')
  const { body } = await agent.post('/api/bookings', slot)
  expect(body.status).toBe('confirmed')
  const { id } = body.booking
  expect((await agent.patch(`/api/bookings/${id}`, { party_size: 3 })).status).toBe(200)
  expect((await agent.post(`/api/bookings/${id}/cancel`, {})).body.status).toBe('cancelled')
  await eventually('the events', async () => {
    const { body } = await agent.get(`/api/bookings/${id}/events`)
    return body.events.length >= 4
  })
  await service.close()
  await direct.drop()
})

test('migrations refuse a pooler and say what they need', async () => {
  const program = startProgram('src/commands/migrate.ts', {
    DATABASE_URL: database.url,
    DATABASE_POOLER: 'transaction',
  })
  await expect(program.prints('never')).rejects.toThrow('set DATABASE_URL to the address of')
  expect(program.process.exitCode).toBe(1)
})
