import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { startProgram } from '../support/programs.ts'

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 1, () => {})
})

afterAll(async () => {
  await db?.end()
  await database?.drop()
})

async function connect(url: string, env: Record<string, string> = {}) {
  const { rows } = await db.query('select slug from venue order by slug limit 1')
  const args = ['connect', rows[0].slug, '--url', url]
  const program = startProgram(
    'src/commands/venues.ts',
    { DATABASE_URL: database.url, ...env },
    args,
  )
  await once(program.process, 'close')
  return { code: program.process.exitCode, output: program.output() }
}

const urls = async () => (await db.query('select url from connector')).rows.map(({ url }) => url)

test('a connector secret requires a sealing key shared by API and workers', async () => {
  const none = await connect('https://one.example.com/')
  expect(none.code).toBe(1)
  expect(none.output).toContain('SECRETS_KEY must be given too')
  expect(await urls()).toEqual([])

  const SECRETS_KEY = newSealingKey()
  const first = await connect('https://one.example.com/', { SECRETS_KEY })
  expect([first.code, first.output.trim().split('\n').at(-1)]).toEqual([
    0,
    expect.stringMatching(/^whsec_/),
  ])

  const other = await connect('https://two.example.com/', { SECRETS_KEY: newSealingKey() })
  expect(other.code).toBe(1)
  expect(other.output).toContain('which SECRETS_KEY does not list')
  expect(await urls()).toEqual(['https://one.example.com/'])
})
