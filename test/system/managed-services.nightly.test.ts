import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { searchAttributeTypes } from '../../src/base/task-queues.ts'
import { choosePort } from '../../src/local/ports.ts'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'
import { connectEngine } from '../../src/platform/temporal/connect.ts'
import { setUpNamespace } from '../../src/platform/temporal/namespace.ts'
import { signedCertificate } from '../platform/certificates.ts'
import { agentWith, findSlot } from '../support/agent.ts'
import { openCloudTemporal } from '../support/cloud-temporal.ts'
import { createDatabase } from '../support/database.ts'
import { openManagedPostgres } from '../support/managed-postgres.ts'
import { nightly } from '../support/nightly.ts'
import { bundleFolder, eventually, startProgram } from '../support/programs.ts'

const guide = readFileSync(
  resolve(import.meta.dirname, '../../docs/operate/managed-services.md'),
  'utf8',
)
const apiKey = randomUUID()
let cloud: Awaited<ReturnType<typeof openCloudTemporal>>
let postgres: Awaited<ReturnType<typeof openManagedPostgres>>
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'managed-services-'))
  cloud = await openCloudTemporal(inject('temporalAddress'), apiKey)
  postgres = await openManagedPostgres()
})
afterAll(async () => {
  cloud?.close()
  await postgres?.close()
  rmSync(folder, { recursive: true, force: true })
})

const access = (namespace: string) => ({
  TEMPORAL_ADDRESS: cloud.address,
  TEMPORAL_NAMESPACE: namespace,
  TEMPORAL_API_KEY: apiKey,
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: signedCertificate.authority,
})

async function ends(file: string, env: Record<string, string>, args: string[] = []) {
  const program = startProgram(file, env, args)
  await once(program.process, 'close')
  expect(program.output()).not.toMatch(/^\s+at /m)
  return { code: program.process.exitCode, said: program.output().trim() }
}

/** Does what the provider's console does. */
async function createNamespace(namespace: string, days: number): Promise<void> {
  const client = await connectEngine({ address: inject('temporalAddress'), namespace })
  const seconds = (days * 86_400) as unknown as Long
  const workflowExecutionRetentionPeriod = { seconds }
  await client.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod })
  if (days >= 30) await setUpNamespace(client)
  await client.connection.close()
}

nightly(
  'from a local service to a booking over TLS, with an API key and limited roles',
  async () => {
    const namespace = `test-${randomUUID()}`
    await createNamespace(namespace, 30)
    const old = await createDatabase()
    const venues = join(folder, 'venues.json')
    const exported = await ends('src/commands/venues.ts', { DATABASE_URL: old.url }, [
      'export',
      '--out',
      venues,
    ])
    expect(exported).toMatchObject({ code: 0 })

    const migrated = await ends('src/commands/migrate.ts', {
      ...access(namespace),
      DATABASE_URL: postgres.owner,
    })
    expect(migrated).toEqual({
      code: 0,
      said: expect.stringContaining(`${namespace} is up to date`),
    })
    const serving = { DATABASE_URL: postgres.serving, SECRETS_KEY: newSealingKey() }
    const imported = await ends('src/commands/venues.ts', serving, ['import', venues])
    expect(imported).toEqual({ code: 0, said: expect.stringContaining(' 0 refused') })
    const created = await ends('src/commands/keys.ts', serving, [
      'create',
      '--tier',
      'pro',
      '--name',
      'first',
    ])
    const key = created.said.split('\n').at(-1) ?? ''

    const port = await choosePort()
    const env = {
      ...access(namespace),
      ...serving,
      NODE_ENV: 'production',
      DATA_DIR: bundleFolder,
      TIMELINE_KEY: newSealingKey(),
      PUBLIC_URL: 'https://network.example',
      TRUSTED_PROXIES: '127.0.0.1',
      PORT: String(port),
    }
    const worker = startProgram('src/worker.ts', env)
    await worker.prints('the worker takes bookings')
    const api = startProgram('src/api.ts', env)
    await api.prints('the doors are open')
    const agent = agentWith(`http://127.0.0.1:${port}`, '', key)
    await eventually('readiness', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok)
    const { body } = await agent.post('/api/bookings', await findSlot(agent, 'restaurant'))
    expect(body.status).toBe('confirmed')
    for (const { output } of [worker, api])
      expect(output()).not.toContain('could change the schema')

    const client = new pg.Client({ connectionString: postgres.serving })
    await client.connect()
    const { rows } = await client.query(
      `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
     where application_name = 'venue-network' and usename = 'venue_network'`,
    )
    expect(rows).toEqual([{ ssl: true }])
    await client.end()
    await api.end('SIGTERM')
    await worker.end('SIGTERM')
    await old.drop()
  },
)

test('what the provider reserves for itself is named in one line', async () => {
  const missing = `test-${randomUUID()}`
  const short = `test-${randomUUID()}`
  await createNamespace(short, 3)
  const migrate = (namespace: string) =>
    ends('src/commands/migrate.ts', { ...access(namespace), DATABASE_URL: postgres.owner })
  const lacking = await migrate(missing)
  expect(lacking).toEqual({
    code: 1,
    said: expect.stringContaining(`${missing} does not exist. Cre`),
  })
  const brief = await migrate(short)
  expect(brief).toEqual({ code: 1, said: expect.stringContaining('for less than 30 days. Change') })
})

test('the guide lists every search attribute with its type', () => {
  const rows = [...guide.matchAll(/^ *\| (`\w+`(?:, `\w+`)*) \| (\w+) \|$/gm)]
  const documented = rows.flatMap(([, names = '', type = '']) =>
    names.split(', ').map((name) => [name.slice(1, -1), type]),
  )
  const types = { KEYWORD: 'Keyword', KEYWORD_LIST: 'KeywordList', DATETIME: 'Datetime' }
  const wanted = Object.entries(searchAttributeTypes).map(([name, type]) => [name, types[type]])
  expect(documented.sort()).toEqual(wanted.sort())
})
