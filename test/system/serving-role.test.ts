import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopes } from '../../src/base/scopes.ts'
import { catalogue } from '../../src/network.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import { requireServing } from '../../src/platform/database/usable.ts'
import { type Agent, findSlot, openAgent } from '../support/agent.ts'
import { createDatabase } from '../support/database.ts'
import { openVisitor } from '../support/developers.ts'
import { readableLog } from '../support/lines.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { postEnvelope } from '../support/open-doors.ts'
import { type Program, startProgram } from '../support/programs.ts'
import { runOnce } from '../support/scheduled-runs.ts'
import { createServedDatabase } from '../support/serving-role.ts'

let database: Awaited<ReturnType<typeof createServedDatabase>>
let network: Network
let api: Program
let worker: Program
let url: string
let agent: Agent

beforeAll(async () => {
  database = await createServedDatabase()
  network = await openNetwork({ DATABASE_URL: database.url, OPEN_REQUESTS_PER_MINUTE: '10000' })
  url = `http://127.0.0.1:${network.config.PORT}`
  api = startProgram('src/api.ts', network.env)
  worker = startProgram('src/worker.ts', network.env)
  await api.prints('the doors are open')
  await worker.prints('the worker takes bookings')
  agent = await openAgent(network.db, url)
  const all = [agent.accountId, scopes]
  await network.db.query('update api_key set scopes = $2 where account_id = $1', all)
})
afterAll(async () => {
  await worker?.end('SIGTERM')
  await api?.end('SIGTERM')
  await network?.close()
  await database?.drop()
})

test.each([
  'create table stranger (id int)',
  'create temporary table stranger (id int)',
  'create schema stranger',
  'create index on booking (id)',
  'create function stranger() returns int language sql as $$select 1$$',
  'alter table booking add column stranger int',
  'alter table allocation disable trigger all',
  'drop table booking',
  'truncate booking',
  'grant select on booking to public',
])('the role that serves cannot %s', async (statement) => {
  const db = openPool(database.url, 1, () => {})
  try {
    const attempt = db.query(statement)
    if (statement.startsWith('grant')) await attempt
    else await expect(attempt).rejects.toMatchObject({ code: '42501' })
    const { rows } = await db.query(`select has_table_privilege('public', 'booking', 'select')`)
    expect(rows).toEqual([{ has_table_privilege: false }])
  } finally {
    await db.end()
  }
})

test('a serving role that could change the schema is named in the log', async () => {
  const warnings = async (address: string) => {
    const { log, text } = readableLog()
    const db = openPool(address, 1, () => {})
    await requireServing(db, { DATABASE_URL: address, NODE_ENV: 'production' }, log)
    await db.end()
    return text()
  }
  expect(await warnings(database.url)).toBe('')
  const owned = await createDatabase()
  expect(await warnings(owned.url)).toContain('could change the schema')
  await owned.drop()
})

test('venues are exported and imported under the serving role', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'serving-role-'))
  const file = join(folder, 'venues.json')
  const run = async (...args: string[]) => {
    const program = startProgram('src/commands/venues.ts', { DATABASE_URL: database.url }, args)
    await once(program.process, 'close')
    return { code: program.process.exitCode, said: program.output() }
  }
  expect(await run('export', '--out', file)).toMatchObject({ code: 0 })
  const read = await run('import', file, '--dry-run')
  expect(read).toEqual({ code: 0, said: expect.stringContaining(' 0 refused') })
  rmSync(folder, { recursive: true })
})

test('booking, amending, cancelling and watching work under the serving role', async () => {
  const slot = await findSlot(agent, 'restaurant in Bali')
  const held = await agent.post('/api/holds', slot)
  expect(held.status).toBe(201)
  const { id } = held.body.booking
  expect((await agent.post(`/api/holds/${id}/extend`, {})).status).toBe(200)
  const confirmed = await agent.post('/api/bookings', { hold_id: id })
  expect(confirmed.body).toMatchObject({ status: 'confirmed', booking: { id } })
  expect((await agent.patch(`/api/bookings/${id}`, { party_size: 3 })).status).toBe(200)
  expect((await agent.post(`/api/bookings/${id}/cancel`, {})).status).toBe(200)
  expect((await agent.get(`/api/bookings/${id}/timeline`)).body.entries.length).toBeGreaterThan(4)
  const events = await agent.get('/api/events')
  expect(events.body.events.length).toBeGreaterThan(4)
  const parts = [await findSlot(agent, 'gym in Bali'), await findSlot(agent, 'spa in Bali')]
  const trip = await agent.post('/api/itineraries', { parts, wait: 30 })
  expect(trip.body.itinerary?.status ?? trip.body.status).toBe('confirmed')
})

test('webhooks, keys, agents and accounts work under the serving role', async () => {
  const made = await agent.post('/api/webhooks', { url: 'http://127.0.0.1:9/hooks' })
  expect(made.status).toBe(201)
  const { id } = made.body.endpoint
  expect((await agent.post(`/api/webhooks/${id}/verify`, {})).status).toBeLessThan(500)
  expect((await agent.post('/api/keys', { name: 'second' })).status).toBe(201)
  const about = { name: `a-${randomUUID()}`, description: 'x', capabilities: [] }
  expect((await agent.post('/api/agents', about)).status).toBe(201)
  const visitor = openVisitor(url)
  const email = 'ayu@example.com'
  expect((await visitor.post('/sign-up', { email, password: 'correct horse' })).status).toBe(200)
  expect((await visitor.get('/dashboard')).status).toBe(200)
})

test('no operation needs more than access to rows', async () => {
  for (const { a2a, example } of catalogue) {
    const message = { intent: a2a, payload: example }
    const { body } = await postEnvelope(url, agent.key, message)
    expect([a2a, body.error?.code ?? 'ok']).not.toEqual([a2a, 'internal_error'])
  }
})

test('every scheduled workflow succeeds under the serving role', async () => {
  const types = ['sweep', 'waitlistScan', 'webhookUpkeep', 'mirror', 'paymentUpkeep', 'retention']
  await Promise.all(types.map((type) => runOnce(network.client, type)))
  for (const program of [api, worker]) expect(program.output()).not.toMatch(/permission denied/)
})
