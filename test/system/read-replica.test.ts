import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { startApi } from '../../src/compose/start-api.ts'
import { readRunConfig } from '../../src/config/config.ts'
import { choosePort } from '../../src/local/ports.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openReplica, type Replica } from '../../src/platform/database/replica.ts'
import { openPool, type Pool, queryRow } from '../../src/platform/database/sql.ts'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'
import { loadDemoVenues } from '../../src/venues/demo/load.ts'
import { type Agent, openAgent } from '../support/agent.ts'
import { readableLog } from '../support/lines.ts'
import { patient } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'
import { openReplicated } from '../support/replica.ts'

let servers: Awaited<ReturnType<typeof openReplicated>>
let db: Pool
let api: Awaited<ReturnType<typeof startApi>>
let agent: Agent
const { log, text: logged } = readableLog()

beforeAll(async () => {
  servers = await openReplicated()
  await migrate(servers.url)
  db = openPool(servers.url, 3, () => {})
  await loadDemoVenues(db, new Date())
  const config = readRunConfig({
    ...patient,
    NODE_ENV: 'test',
    DATABASE_URL: servers.url,
    DATABASE_READ_URL: servers.replicaUrl,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    SECRETS_KEY: newSealingKey(),
    TIMELINE_KEY: newSealingKey(),
    PORT: String(await choosePort()),
  })
  api = await startApi(config, log)
  agent = await openAgent(db, api.url)
  await eventually('the replica', async () => logged().includes('lists read the replica'))
})
afterAll(async () => {
  await api?.stop()
  await db?.end()
  await servers?.close()
})

const paths = [
  '/api/venues/search?q=dinner+in+Ubud',
  '/api/venues?area=ubud',
  '/api/bookings',
  '/api/fees',
  '/api/watches',
  '/api/requests',
  '/api/deliveries',
  '/api/deliveries/stats',
  '/api/agents/public',
]

/** The statements that this API has sent to the replica. */
async function statementsRead(): Promise<number> {
  const text = await (await fetch(`${api.url}/metrics`)).text()
  const counts = text.matchAll(
    /^database_statement_duration_seconds_count\{.*part="read".*\} (\d+)/gm,
  )
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

test('searches and lists are answered by the replica', async () => {
  for (const path of paths) {
    const before = await statementsRead()
    const { status } = await agent.get(path)
    expect([path, status]).toEqual([path, 200])
    expect([path, await statementsRead()]).not.toEqual([path, before])
  }
})

const recovery = z.object({ is_replica: z.boolean() })
const askedReplica = async (replica: Replica) =>
  (await replica.read((pool) => queryRow(pool, recovery)`select pg_is_in_recovery() as is_replica`))
    .is_replica

function openReplicaAt(url: string) {
  const lines = readableLog()
  const replica = openReplica(
    db,
    openPool(url, 2, () => {}),
    lines.log,
    // A busy replica may lag by this much.
    1_000,
  )
  const said = () => lines.text().match(/searches and lists read the \w+/g) ?? []
  const reads = (which: 'replica' | 'primary') =>
    eventually(which, async () => said().at(-1) === `searches and lists read the ${which}`)
  return { replica, lines, said, reads }
}

test('a replica that lags is left until it has caught up, with one log line each', async () => {
  const { replica, lines, said, reads } = openReplicaAt(servers.replicaUrl)
  await reads('replica')
  expect(await askedReplica(replica)).toBe(true)
  await servers.pause()
  await openAgent(db, api.url)
  await reads('primary')
  expect(await askedReplica(replica)).toBe(false)
  expect(lines.text()).toContain('the replica lags')
  await servers.resume()
  await reads('replica')
  expect(await askedReplica(replica)).toBe(true)
  expect(said()).toHaveLength(3)
  await replica.close()
})

test('a server that is no replica is never read', async () => {
  const { replica, lines } = openReplicaAt(servers.url)
  expect(await askedReplica(replica)).toBe(false)
  await replica.close()
  expect(lines.text()).toBe('')
})

test('without its replica an API goes on with the primary, and loses no call', async () => {
  const { replica, said, reads } = openReplicaAt(servers.replicaUrl)
  await reads('replica')
  await servers.stopReplica()
  expect(await askedReplica(replica)).toBe(false)
  for (const path of paths) expect([path, (await agent.get(path)).status]).toEqual([path, 200])
  expect(said()).toHaveLength(2)
  await replica.close()
})
