import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteAccount } from '../../src/accounts/operations/delete-account.ts'
import { hashPassword } from '../../src/platform/sealing/password-secret.ts'
import { cancelEntriesOf } from '../../src/waitlist/store/entries.ts'
import { type Owner, openOwner } from '../support/belongings.ts'
import { mailsTo, openVisitor } from '../support/developers.ts'
import { dumpRows } from '../support/dump-rows.ts'
import { bearer, type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let passwordHash: string

beforeAll(async () => {
  doors = await openDoors()
  passwordHash = await hashPassword(password, 'test')
})
afterAll(() => doors?.close())

const password = 'correct horse battery'
const PATH = '/dashboard/account/delete'

/** An account with one of everything, owned by a developer with a password. */
async function openOwnerWithPassword(): Promise<Owner> {
  const owner = await openOwner(doors, 3)
  await doors.db.query(
    `update developer set password_hash = $2, verified_at = now() where id = $1`,
    [owner.browser.developerId, passwordHash],
  )
  return owner
}

const rowsOf = async (text: string, accountId: string) =>
  (await doors.db.query(text, [accountId])).rows
const statusWith = async (key: string) =>
  (await fetch(`${doors.url}/api/bookings`, { headers: bearer(key) })).status

const kept = (accountId: string) =>
  rowsOf(
    `select (select jsonb_agg(to_jsonb(b) order by id) from booking b where account_id = $1) as b,
       (select jsonb_agg(to_jsonb(f) order by id) from fee_entry f where account_id = $1) as f,
       (select jsonb_agg(to_jsonb(i) order by id) from plan_period i where account_id = $1) as i`,
    accountId,
  )

test('all that acts for a deleted account ends; bookings, fees and invoices stay', async () => {
  const { accountId, browser, key, things } = await openOwnerWithPassword()
  await doors.db.query(`update endpoint set status = 'paused' where account_id = $1`, [accountId])
  await doors.db.query(
    `update delivery set status = 'pending', due_at = now() where account_id = $1`,
    [accountId],
  )
  await doors.db.query(
    `insert into audit_entry (account_id, at, id, actor_kind, actor_name, door, action)
     select $1, now(), gen_random_uuid(), kind, kind, 'command', 'account.suspended'
     from unnest('{member,operator}'::text[]) kind`,
    [accountId],
  )
  const before = await kept(accountId)
  expect((await browser.get('/dashboard/account')).html).toContain(PATH)

  const deleted = await browser.post(PATH, { password })
  expect(deleted.headers.get('location')).toBe('/sign-in?done=deleted')
  expect(await kept(accountId)).toEqual(before)

  expect(await statusWith(key)).toBe(401)
  expect((await browser.get('/dashboard')).headers.get('location')).toContain('/sign-in')
  const all = await doors.db.query(
    `select
       (select count(*)::int from api_key where account_id = $1 and revoked_at is null) as keys,
       (select count(*)::int from member where account_id = $1)
         + (select count(*)::int from developer where id = $2) as developers,
       (select count(*)::int from endpoint
        where account_id = $1 and deleted_at is null) as endpoints,
       (select count(*)::int from signing_key k join endpoint e on e.id = k.endpoint_id
        where e.account_id = $1) as secrets,
       (select count(*)::int from delivery
        where account_id = $1 and status in ('pending', 'sending')) as deliveries,
       (select count(*)::int from replay
        where account_id = $1 and status in ('running', 'paused')) as replays,
       (select count(*)::int from agent where account_id = $1 and deleted_at is null) as agents,
       (select count(*)::int from waitlist_entry
        where account_id = $1 and nth is not null) as watches,
       (select tier from account where id = $1) as tier`,
    [accountId, browser.developerId],
  )
  const none = { keys: 0, developers: 0, endpoints: 0, secrets: 0, deliveries: 0, replays: 0 }
  expect(all.rows).toEqual([{ ...none, agents: 0, watches: 0, tier: 'free' }])
  const entries = 'select actor_kind, actor_id, action from audit_entry where account_id = $1'
  expect(await rowsOf(`${entries} order by at`, accountId)).toEqual([
    { actor_kind: 'operator', actor_id: null, action: 'account.suspended' },
    { actor_kind: 'member', actor_id: browser.developerId, action: 'account.deleted' },
  ])

  const [mail] = await mailsTo(doors.db, browser.email)
  for (const text of [
    `${browser.email} deleted`,
    accountId,
    'Address: 127.',
    'Account suspended',
  ]) {
    expect(mail).toContain(text)
  }
  await doors.db.query('delete from mail where recipient = $1', [browser.email])
  const rows = await dumpRows(doors.db)
  for (const text of [browser.email, `key of ${accountId}`]) expect(rows).not.toContain(text)

  // No other account can take over the name of an agent that is known to others.
  const other = await doors.openAccount('free')
  const taken = await fetch(`${doors.url}/api/agents`, {
    method: 'POST',
    headers: { ...bearer(other.key), 'content-type': 'application/json' },
    body: JSON.stringify({ name: things.agent, description: 'x', capabilities: ['x'] }),
  })
  expect(await taken.json()).toMatchObject({ code: 'agent_name_taken' })
})

test('the page says what ends, what continues, and that it cannot be undone', async () => {
  const { browser, accountId } = await openOwnerWithPassword()
  await doors.db.query(
    `update booking set status = 'confirmed' where account_id = $1 and status <>
    'confirmed' and next_action_at is not null and change_phase is null`,
    [accountId],
  )
  const { html } = await browser.get(PATH)
  for (const words of ['cannot be undone', 'API keys are revoked', 'Fees are still due', 'on:']) {
    expect(html).toContain(words)
  }
  expect(html.indexOf('cannot be undone')).toBeLessThan(html.indexOf('Delete my account'))
})

test('with a wrong password nothing is deleted', async () => {
  const { accountId, browser, key } = await openOwnerWithPassword()
  const refused = await browser.post(PATH, { password: 'wrong password' })
  expect(refused).toMatchObject({ status: 403 })
  expect(refused.html).toContain('Wrong password')
  expect(await statusWith(key)).toBe(200)
  expect(await rowsOf('select deleted_at from account where id = $1', accountId)).toEqual([
    { deleted_at: null },
  ])
})

test('two clicks delete the account once, and the address can sign up again', async () => {
  const { accountId, browser } = await openOwnerWithPassword()
  const answers = await Promise.all([browser, browser].map((one) => one.post(PATH, { password })))
  for (const { headers } of answers) {
    expect(headers.get('location')).toBe('/sign-in?done=deleted')
  }
  const { email } = browser
  await openVisitor(doors.url).post('/sign-up', { email, password })
  const { rows } = await doors.db.query(
    `select m.account_id
     from developer d join member m on m.developer_id = d.id where d.email = $1`,
    [email],
  )
  expect(rows).toEqual([{ account_id: expect.not.stringContaining(accountId) }])
  const invoices = await rowsOf('select month from plan_period where account_id = $1', accountId)
  expect(invoices).toHaveLength(1)
})

test('deleting an account a second time changes nothing, whoever does it', async () => {
  const { accountId, browser } = await openOwnerWithPassword()
  const { developerId: id, email } = browser
  const input = { id, account_id: accountId, session_id: id, email, password }
  const visit = { at: new Date(), address: 'test', device: 'test', endElsewhere: cancelEntriesOf }
  const services = { db: doors.db, settings: { publicUrl: doors.url, proMonthlyUsd: 49 } as never }
  await deleteAccount(services, input, visit)
  const once = await rowsOf('select * from account where id = $1', accountId)
  await deleteAccount(services, input, visit)
  expect(await rowsOf('select * from account where id = $1', accountId)).toEqual(once)
})
