import { randomUUIDv7 } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { selectKeyHolders } from '../../src/accounts/store/authentication.ts'
import {
  insertDeveloper,
  selectOptionalDeveloper,
  updateVerified,
} from '../../src/accounts/store/developers.ts'
import { hashKey } from '../../src/accounts/store/key-secret.ts'
import { keyProgram } from '../../src/commands/key-commands.ts'
import { findAnything } from '../../src/operators/operations/find-anything.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { accountOfPayer } from '../../src/x402/store/payers.ts'
import { runOperatorCommand } from '../support/commands.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { startProgram } from '../support/programs.ts'

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

/** Run in this process: starting another takes ten times as long as the command. */
const keys = (...args: string[]) => runOperatorCommand(keyProgram, database.url, args)

/** The command as an operator types it. */
async function typed(...args: string[]) {
  const program = startProgram('src/commands/keys.ts', { DATABASE_URL: database.url }, args)
  await once(program.process, 'close')
  return { code: program.process.exitCode, output: program.output() }
}

const holdersOf = (raw: string) => selectKeyHolders(db, [hashKey(raw)], new Date())
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) ?? ''

test('create prints the key of a new account alone on the last line', async () => {
  const { code, output } = await typed('create', '--tier', 'pro', '--name', 'demo')
  expect(code).toBe(0)
  const raw = lastLine(output)
  expect(raw).toMatch(/^service_live_[A-Za-z0-9_-]{43}$/)
  expect(await holdersOf(raw)).toMatchObject([{ name: 'demo', tier: 'pro' }])
})

test('list shows every key and only the end of its secret', async () => {
  const raw = lastLine((await keys('create', '--tier', 'free', '--name', 'listed')).output)
  const { output } = await typed('list')
  expect(output).toContain('listed')
  expect(output).toContain(raw.slice(-4))
  expect(output).not.toContain(raw.slice(13, -4))
})

test('a key has the requested scopes, and list shows them', async () => {
  const usual = lastLine((await keys('create', '--tier', 'free', '--name', 'usual')).output)
  expect(await holdersOf(usual)).toMatchObject([
    { scopes: ['bookings', 'webhooks', 'agents', 'usage'] },
  ])
  const args = ['create', '--tier', 'free', '--name', 'root', '--scopes', 'keys,usage']
  const root = lastLine((await keys(...args)).output)
  expect(await holdersOf(root)).toMatchObject([{ scopes: ['keys', 'usage'] }])
  const { output } = await keys('list')
  expect(output).toMatch(/root .* keys,usage /)
})

test('an operator’s move to pro is recorded and invoiced', async () => {
  const raw = lastLine((await keys('create', '--tier', 'free', '--name', 'mover')).output)
  const [holder] = await holdersOf(raw)
  expect((await keys('tier', holder?.id ?? '', 'pro')).code).toBe(0)
  const { rows } = await db.query(
    `select c.to_tier, c.made_by, i.amount_minor from plan_change c
     join plan_period i on i.account_id = c.account_id where c.account_id = $1`,
    [holder?.id],
  )
  expect(rows).toEqual([{ to_tier: 'pro', made_by: 'operator', amount_minor: 4900 }])
})

test('an account gets a second key and a higher tier, and its first key is revoked', async () => {
  const first = lastLine((await keys('create', '--tier', 'free', '--name', 'shop')).output)
  const [before] = await holdersOf(first)
  const account = before?.id ?? ''
  const second = lastLine((await keys('create', '--account', account, '--name', 'till')).output)
  expect((await keys('tier', account, 'pro')).code).toBe(0)
  expect((await keys('revoke', before?.key_id ?? '')).code).toBe(0)
  expect(await holdersOf(first)).toEqual([])
  expect(await holdersOf(second)).toMatchObject([{ id: account, tier: 'pro' }])
})

test.each([
  [['revoke', '0197a1f0-0000-7000-8000-000000000000'], 1, 'There is no key 0197a1f0'],
  [['tier', '0197a1f0-0000-7000-8000-000000000000', 'pro'], 1, 'There is no account 0197a1f0'],
  [['make'], 2, 'There is no command "make".'],
])('%j fails with one message and no stack', async (args, exitCode, message) => {
  const { code, output } = await typed(...args)
  expect(code).toBe(exitCode)
  expect(output).toContain(message)
  expect(output).not.toMatch(/^\s+at /m)
})

test('suspend refuses the keys of an account until resume, and both are audited', async () => {
  const raw = lastLine((await keys('create', '--tier', 'pro', '--name', 'Late Payer')).output)
  const [holder] = await holdersOf(raw)
  const id = holder?.id ?? ''
  expect((await keys('suspend', id)).output).toContain('--reason')
  expect((await keys('suspend', id, '--reason', 'unpaid')).output).toContain('is suspended.')
  expect(await holdersOf(raw)).toMatchObject([{ suspended_reason: 'unpaid' }])
  expect((await keys('suspend', id, '--reason', 'again')).output).toContain('suspended already')
  expect((await keys('resume', id, '--reason', 'paid')).output).toContain('is active again.')
  expect(await holdersOf(raw)).toMatchObject([{ suspended_reason: null }])
  const { rows } = await db.query(
    `select action, door, details from audit_entry
     where account_id = $1 and action like 'account.%ed' order by at, id`,
    [id],
  )
  expect(rows.slice(1)).toEqual([
    { action: 'account.suspended', door: 'command', details: { reason: 'unpaid' } },
    { action: 'account.resumed', door: 'command', details: { reason: 'paid' } },
  ])
})

test('suspend accepts the address of a wallet', async () => {
  const address = `0x${'Ab'.repeat(20)}`
  expect((await keys('suspend', address, '--reason', 'x')).output).toContain('There is no account')
  const wallet = { network: 'eip155:84532', address: address.toLowerCase() }
  const { id } = await accountOfPayer(db, wallet, new Date())
  expect((await keys('suspend', address, '--reason', 'x')).output).toContain('is suspended.')
  const { rows } = await db.query('select suspended_reason from account where id = $1', [id])
  expect(rows).toEqual([{ suspended_reason: 'x' }])
  expect(await findAnything({ db }, address)).toMatchObject([{ kind: 'account', id }])
})

test('operator grants a developer the role by email address, and revokes it', async () => {
  const at = new Date()
  const accountId = randomUUIDv7()
  await insertAccount(db, { id: accountId, name: 'ayu', tier: 'free', at })
  const developer = { id: randomUUIDv7(), accountId, email: 'Ayu@example.com', passwordHash: 'x' }
  await insertDeveloper(db, { ...developer, at })
  const isOperator = async () => (await selectOptionalDeveloper(db, 'ayu@example.com'))?.is_operator
  const unproved = await keys('operator', 'ayu@example.com')
  expect(unproved.code).toBe(1)
  expect(unproved.output).toContain('No developer has signed up with')
  expect(await isOperator()).toBe(false)
  await updateVerified(db, developer.id, at)
  expect((await keys('operator', 'ayu@example.com')).code).toBe(0)
  expect(await isOperator()).toBe(true)
  expect((await keys('operator', 'ayu@example.com', '--revoke')).code).toBe(0)
  expect(await isOperator()).toBe(false)
})

test('delete-account deletes an account permanently, and only with --yes', async () => {
  const raw = lastLine((await keys('create', '--tier', 'pro', '--name', 'Ayu Lestari')).output)
  const [holder] = await holdersOf(raw)
  const id = holder?.id ?? ''
  expect((await keys('delete-account', id)).output).toContain('--yes')
  expect(await holdersOf(raw)).toHaveLength(1)
  for (let times = 0; times < 2; times += 1) {
    const { code, output } = await keys('delete-account', id, '--yes')
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('is deleted') })
  }
  expect(await holdersOf(raw)).toEqual([])
  expect((await keys('list')).output).not.toContain('Ayu Lestari')
  const more = await keys('create', '--account', id, '--name', 'second')
  expect(more.output).toContain(`There is no account ${id}.`)
  expect((await keys('tier', id, 'pro')).output).toContain(`There is no account ${id}.`)
  expect((await keys('delete-account', randomUUIDv7(), '--yes')).output).toContain('no account')
})

test('delete-account emails every owner once, as the dashboard page does', async () => {
  const accountId = randomUUIDv7()
  const at = new Date()
  await insertAccount(db, { id: accountId, name: 'Warung Ayu', tier: 'free', at })
  const [first, second] = [randomUUIDv7(), randomUUIDv7()]
  const ayu = { id: first, accountId, email: 'ayu@owners.example', passwordHash: 'none', at }
  await insertDeveloper(db, ayu)
  const own = randomUUIDv7()
  await insertAccount(db, { id: own, name: 'Other', tier: 'free', at })
  await insertDeveloper(db, { ...ayu, id: second, accountId: own, email: 'made@owners.example' })
  await db.query(
    `insert into member (account_id, developer_id, role, created_at)
     values ($1, $2, 'owner', $4), ($1, $3, 'owner', $4) on conflict do nothing`,
    [accountId, first, second, at],
  )
  for (let times = 0; times < 2; times += 1) {
    expect((await keys('delete-account', accountId, '--yes')).output).toContain('an email')
  }
  const { rows } = await db.query(
    `select recipient, subject, body from mail where recipient like '%@owners.example' order by 1`,
  )
  expect(rows.map(({ recipient }) => recipient)).toEqual([
    'ayu@owners.example',
    'made@owners.example',
  ])
  for (const { subject, body } of rows) {
    expect(subject).toContain('account was deleted')
    expect(body).toContain('The operator of the network deleted the account “Warung Ayu”')
    expect(body).toContain(accountId)
  }
})

test('verify marks a developer’s address as verified', async () => {
  const accountId = randomUUIDv7()
  const at = new Date()
  await insertAccount(db, { id: accountId, name: 'made', tier: 'free', at })
  const developer = { id: randomUUIDv7(), accountId, passwordHash: 'none', at }
  await insertDeveloper(db, { ...developer, email: 'made@example.com' })
  expect((await keys('verify', 'Made@example.com')).output).toContain('is verified')
  const { rows } = await db.query(
    'select verified_at is not null as is_verified from developer where id = $1',
    [developer.id],
  )
  expect(rows).toEqual([{ is_verified: true }])
  expect((await keys('verify', 'nobody@example.com')).code).toBe(1)
})

test('an operator adds, lists and removes OAuth clients', async () => {
  const add = (id: string, ...more: string[]) =>
    keys('add-client', id, '--name', 'Partner', ...more)
  const redirects = ['--redirects', 'https://partner.example/callback']
  expect(await add('partner', ...redirects)).toMatchObject({ code: 0 })
  expect((await keys('clients')).output).toMatch(/partner +Partner +0/)
  expect((await add('registered-x', ...redirects)).output).toMatch(/Id of the client/)
  expect((await add('other', '--redirects', 'http://partner.example')).output).toMatch(/use https/)
  expect((await add('other')).output).toMatch(/--redirects or --introspects/)
  expect(await keys('remove-client', 'partner')).toMatchObject({ code: 0 })
  expect((await keys('remove-client', 'partner')).output).toMatch(/added no client/)
})
