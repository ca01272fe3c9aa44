import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { rewrap } from '../../src/commands/rewrap.ts'
import { openSealer } from '../../src/compose/open-sealer.ts'
import { sealedColumns } from '../../src/compose/parts.ts'
import { readConfig } from '../../src/config/config.ts'
import { upsertConnector } from '../../src/confirmation/store/connectors.ts'
import { insertChannel } from '../../src/notices/store/channels.ts'
import { insertPerson } from '../../src/notices/store/people.ts'
import { type Db, openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { insertEndpoint } from '../../src/webhooks/store/endpoints.ts'
import { insertSigningKey } from '../../src/webhooks/store/signing-keys.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { startProgram } from '../support/programs.ts'

const k1 = newSealingKey().replace(/^[^:]+/, 'k1')
const k2 = newSealingKey().replace(/^[^:]+/, 'k2')
const k3 = newSealingKey().replace(/^[^:]+/, 'k3')
const sealerOf = (keys: string) => createSealer(parseSealingKeys(keys) ?? [])
const KEYS = 450

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 3, () => {})
  await fill()
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

/** A secret in each column, sealed with k1, and many signing keys. Each names its owner. */
async function fill() {
  const at = new Date()
  const seal = (context: string) => sealerOf(k1).seal(`of ${context}`, context)
  const contexts = new Map(
    sealedColumns.map((one) => [`${one.table}.${one.column}`, one.contextOf]),
  )
  const [connector, contact] = [
    contexts.get('connector.secret'),
    contexts.get('notice_channel.address'),
  ]
  const [key, headers] = [contexts.get('signing_key.secret'), contexts.get('endpoint.headers')]
  const { rows } = await db.query('select id from venue limit 1')
  const venueId = rows[0].id
  const url = 'https://venue.example/'
  await upsertConnector(db, { venueId, url, secret: seal(connector?.(venueId) ?? '') }, at)
  const [personId, channelId] = [randomUUID(), randomUUID()]
  await insertPerson(db, { id: personId, venueId, name: 'K', role: 'staff', language: null, at })
  await insertChannel(db, {
    ...{ id: channelId, personId, kind: 'post', optedInBy: 'operator', at },
    ...{ address: seal(contact?.(channelId) ?? ''), digest: Buffer.of(1) },
  })
  const accountId = randomUUIDv7()
  await insertAccount(db, { id: accountId, name: 'test', tier: 'pro', at })
  const id = randomUUIDv7()
  await insertEndpoint(db, {
    id,
    accountId,
    url,
    description: '',
    event_types: ['*'],
    header_names: ['x-a'],
    headers: seal(headers?.(id) ?? ''),
    rate_per_second: null,
    fifo: false,
    challenge: 'x',
    at,
  })
  for (let n = 0; n < KEYS; n += 1) {
    const keyId = randomUUID()
    const secret = seal(key?.(keyId) ?? '')
    await insertSigningKey(db, { id: keyId, endpointId: id, secret, validFrom: at, at })
    await db.query('update signing_key set valid_until = $2 where id = $1', [keyId, at])
  }
}

async function sealedBy(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, column } of sealedColumns) {
    const { rows } = await db.query(`select split_part(${column}, '.', 2) as key from ${table}
      where ${column} is not null`)
    for (const { key } of rows) counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

/** The database, which fails after this many statements. */
function diesAfter(statements: number): Db {
  let left = statements
  const query = (...args: unknown[]) => {
    if (left === 0) throw new Error('called off')
    left -= 1
    return (db.query as (...args: unknown[]) => unknown)(...args)
  }
  return { query } as unknown as Db
}

test('an aborted re-wrapping resumes, and every secret opens with the new key alone', async () => {
  const sealer = sealerOf(`${k2},${k1}`)
  await expect(rewrap(diesAfter(4), sealer, () => {})).rejects.toThrow('called off')
  const half = await sealedBy()
  expect(half.k1).toBeGreaterThan(0)
  expect(half.k2).toBeGreaterThan(0)

  const lines: string[] = []
  const said = await rewrap(db, sealer, (line) => lines.push(line))
  expect(said).toContain('all are sealed with "k2" now. Keep k1 last in SECRETS_KEY, for the links')
  expect(lines).toContainEqual(expect.stringMatching(/headers of endpoints: 1 of 1/))
  expect(await sealedBy()).toEqual({ k2: KEYS + 3 })
  for (const { table, id, column, contextOf } of sealedColumns) {
    const { rows } = await db.query(`select ${id} as id, ${column} as sealed from ${table}
      where ${column} is not null`)
    for (const row of rows) {
      const context = contextOf(row.id)
      expect(sealerOf(k2).open(row.sealed, context)).toBe(`of ${context}`)
    }
  }
  expect(await rewrap(db, sealer, () => {})).toContain('0 secrets were sealed anew')
})

test('the command re-wraps too; it and every process need all keys in use', async () => {
  const run = async (SECRETS_KEY: string) => {
    const env = { DATABASE_URL: database.url, ...(SECRETS_KEY && { SECRETS_KEY }) }
    const program = startProgram('src/commands/keys.ts', env, ['rewrap'])
    await once(program.process, 'close')
    return { code: program.process.exitCode, output: program.output() }
  }
  expect((await run('')).output).toContain('SECRETS_KEY must be given too')
  const unknown = await run(k3)
  expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('"k2"') })
  const done = await run(`${k3},${k2}`)
  expect(done).toMatchObject({ code: 0, output: expect.stringContaining('sealed with "k3" now') })
  expect(await sealedBy()).toEqual({ k3: KEYS + 3 })
})

test('a secret that was tampered with is named, and the others are resealed', async () => {
  const { rows } = await db.query(
    `update signing_key set secret = 'v2.k3.' || repeat('A', 60)
     where id = (select id from signing_key limit 1) returning id`,
  )
  const sealer = sealerOf(`${k1},${k3}`)
  await expect(rewrap(db, sealer, () => {})).rejects.toThrow(rows[0].id)
  expect(await sealedBy()).toEqual({ k1: KEYS + 2, k3: 1 })
})

test('a damaged secret does not prevent a process from starting', async () => {
  const config = readConfig({ SECRETS_KEY: `${k3},${k2},${k1}` })
  const client = await db.connect()
  try {
    await client.query('begin')
    await client.query(`update endpoint set headers = 'k9:damaged'`)
    const { keyIds } = await openSealer(config, client)
    expect(keyIds).toEqual(['k3', 'k2', 'k1'])
  } finally {
    await client.query('rollback')
    client.release()
  }
})
