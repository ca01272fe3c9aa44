import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoiceAndPruneAccounts } from '../../src/accounts/steps/invoice-and-prune.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openBrowser } from '../support/developers.ts'

const log = createLog('silent')

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 2, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

const tables = ['developer_session', 'mailed_token', 'throttle_window', 'mail', 'agent_name']

const counts = async () => {
  const rows = tables.map(async (table) => {
    const { rows } = await db.query(`select count(*)::int as count from ${table}`)
    return [table, rows[0].count]
  })
  return Object.fromEntries(await Promise.all(rows))
}

test('old sessions, links, limits, emails and names are erased without any sign-in', async () => {
  const { developerId } = await openBrowser({ db, url: '' })
  await db.query(
    `insert into developer_session (id, developer_id, token_hash, device, created_at, seen_at,
       expires_at)
     values (gen_random_uuid(), $1, sha256('a'), 'Test', now(), now(), now() - interval '1 s')`,
    [developerId],
  )
  await db.query(
    `insert into mailed_token (hash, developer_id, purpose, created_at, expires_at)
     select sha256(purpose::bytea), $1, purpose, now(), now() + ends::interval
     from (values ('verify_email', '-1 s'), ('reset_password', '1 h')) of (purpose, ends)`,
    [developerId],
  )
  await db.query(
    `insert into throttle_window (subject, tries, ends_at)
     select sha256(n::text::bytea), 1, now() - interval '1 s' from generate_series(1, 7000) n
     union all select sha256('open'), 1, now() + interval '1 h'`,
  )
  await db.query(
    `insert into mail (id, recipient, subject, body, created_at)
     select gen_random_uuid(), 'one@example.com', 's', 'b', now() - age
     from unnest(array[interval '8 d', interval '6 d']) age`,
  )
  await db.query(
    `insert into agent_name (name, account_id, is_registered, used_at)
     select case age when '31 d' then 'lapsed' else 'sent' end, account_id, false, now() - age
     from member, unnest(array[interval '31 d', interval '29 d']) age where developer_id = $1`,
    [developerId],
  )
  const { hasMore } = await invoiceAndPruneAccounts({ db, log }, 4900, new Date())
  expect(hasMore).toBe(true)
  await invoiceAndPruneAccounts({ db, log }, 4900, new Date())
  expect(await counts()).toEqual(Object.fromEntries(tables.map((table) => [table, 1])))
})
