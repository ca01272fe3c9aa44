import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import { requireServing } from '../../src/platform/database/usable.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { hasPgBouncer, openPgBouncer } from '../support/pgbouncer.ts'

const log = createLog('silent')
let database: TestDatabase

beforeEach(async () => {
  database = await createDatabase('empty')
})
afterEach(() => database.drop())

/** The error with which a serving process rejects this address; undefined if it would start. */
async function faultOf(url: string): Promise<string | undefined> {
  const db = openPool(url, 1, () => {})
  try {
    await requireServing(db, { DATABASE_URL: url, NODE_ENV: 'production' }, log)
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await db.end()
  }
}

test('a database without the migrations of this release names the command', async () => {
  expect(await faultOf(database.url)).toMatch(
    /^The database lacks migrations of this release: 0001_baseline\. Run `npm run/,
  )
  await migrate(database.url)
  expect(await faultOf(database.url)).toBe(undefined)
})

function as(role: string, databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.username = role
  url.password = 'secret'
  return url.href
}

test('a role that lacks rights is shown the statements that grant them', async () => {
  await migrate(database.url)
  const role = `serving_${randomUUID().replaceAll('-', '')}`
  const owner = openPool(database.url, 1, () => {})
  await owner.query(`create role ${role} login password 'secret'`)
  const url = as(role, database.url)
  const fault = (await faultOf(url)) ?? ''
  expect(fault).toMatch(
    new RegExp(`^The database role ${role} may not read and write account, .* and \\d+ more\\. As`),
  )
  const [, statements = ''] = /As the owner run: (.*)$/.exec(fault) ?? []
  await owner.query(statements)
  expect(await faultOf(url)).toBe(undefined)
  await expect(migrate(url)).resolves.toEqual([])
  await owner.query('delete from migration')
  await expect(migrate(url)).rejects.toThrow(/role that owns the schema/)
  const empty = await createDatabase('empty')
  await expect(migrate(as(role, empty.url))).rejects.toThrow(
    /^Unable to ensure migrations table: error: permission denied for schema public\. Set DATA/,
  )
  await empty.drop()
  await owner.query(`drop owned by ${role}; drop role ${role}`)
  await owner.end()
})

test('a database that does not answer is named without its password', async () => {
  expect(await faultOf('postgres://someone:secret@127.0.0.1:1/x')).toBe(
    'PostgreSQL at 127.0.0.1:1 cannot be used (connect ECONNREFUSED 127.0.0.1:1). ' +
      'Check DATABASE_URL.',
  )
})

test.skipIf(!hasPgBouncer)('an undeclared pooler is recognised by its setting', async () => {
  await migrate(database.url)
  const bouncer = await openPgBouncer(inject('databaseUrl'))
  const pooled = bouncer.before(database.url)
  const advice = /transaction mode: set DATABASE_POOLER=transaction\..*address of PostgreSQL itself/
  expect(await faultOf(pooled)).toMatch(advice)
  await expect(migrate(pooled)).rejects.toThrow(advice)
  await bouncer.close()
})
