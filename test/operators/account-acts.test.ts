import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, openBrowser } from '../support/developers.ts'
import { addKey, bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'
import { makeTraffic } from '../support/traffic.ts'

let doors: Doors
let operator: Browser
let customer: Browser
let stranger: Browser
let key: string

beforeAll(async () => {
  doors = await openDoors()
  operator = await openBrowser(doors, { isOperator: true })
  customer = await openBrowser(doors)
  stranger = await openBrowser(doors)
  key = (await addKey(doors.db, customer.accountId)).key
})
afterAll(() => doors?.close())

const pageOf = ({ accountId }: { accountId: string }) =>
  `/dashboard/operators/accounts/${accountId}`

const entriesOf = async ({ accountId }: { accountId: string }) =>
  (
    await doors.db.query(
      `select action, actor_kind, actor_id, actor_name, address, door, request_id, details
       from audit_entry where account_id = $1 order by at, id`,
      [accountId],
    )
  ).rows

const stateOf = async ({ accountId }: { accountId: string }) =>
  (
    await doors.db.query(
      `select a.tier, a.requests_per_day, a.suspended_reason, l.live, l.per_venue_day
       from account a left join account_limit l on l.account_id = a.id where a.id = $1`,
      [accountId],
    )
  ).rows[0]

/** Each operator action: its fields, its effect, and its entry in the audit log. */
const acts = [
  ['plan', { tier: 'pro' }, { tier: 'pro' }, 'plan.changed', { from: 'free', to: 'pro' }],
  [
    'limits',
    { live: '500', per_venue_day: 'none' },
    { live: 500, per_venue_day: null },
    'account.limits_changed',
    { to: { live: 500, perVenueDay: null } },
  ],
  ['limits', {}, { live: null }, 'account.limits_changed', { to: 'usual' }],
  [
    'quota',
    { per_day: '77' },
    { requests_per_day: 77 },
    'account.quota_changed',
    { from: null, to: 77 },
  ],
  ['quota', {}, { requests_per_day: null }, 'account.quota_changed', { from: 77, to: null }],
  ['suspend', {}, { suspended_reason: 'because of INC-7' }, 'account.suspended', {}],
  ['resume', {}, { suspended_reason: null }, 'account.resumed', {}],
] as const

test.each(acts)(
  '%s accepts %o from an operator with a reason, once, and is audited',
  async (verb, fields, state, action, details) => {
    const path = `${pageOf(customer)}/${verb}`
    const before = [await stateOf(customer), await entriesOf(customer)]
    expect((await stranger.post(path, { ...fields, reason: 'mine' })).status).toBe(404)
    expect((await operator.post(path, fields)).status).toBe(400)
    expect([await stateOf(customer), await entriesOf(customer)]).toEqual(before)

    const reason = 'because of INC-7'
    const answer = await operator.post(path, { ...fields, reason })
    expect(answer.status).toBe(303)
    expect(await stateOf(customer)).toMatchObject(state)
    const entries = await entriesOf(customer)
    expect(entries.length).toBe((before[1]?.length ?? 0) + 1)
    expect(entries.at(-1)).toMatchObject({
      action,
      actor_kind: 'operator',
      actor_id: operator.developerId,
      actor_name: 'Operator',
      address: '127.0.0.1',
      door: 'dashboard',
      request_id: answer.headers.get('x-request-id'),
      details: { ...details, reason },
    })

    expect((await operator.post(path, { ...fields, reason })).status).toBe(303)
    expect(await entriesOf(customer)).toEqual(entries)
  },
)

test('suspending and resuming takes effect on the next request', async () => {
  const ping = async () =>
    (await jsonOf(await fetch(`${doors.url}/api/ping`, { headers: bearer(key) }))).code
  expect(await ping()).toBeUndefined()
  await operator.post(`${pageOf(customer)}/suspend`, { reason: 'abuse' })
  expect(await ping()).toBe('account_suspended')
  expect((await operator.get(pageOf(customer))).html).toContain('abuse')
  await operator.post(`${pageOf(customer)}/resume`, { reason: 'sorry' })
  expect(await ping()).toBeUndefined()
})

test('operators see who acted and from where; the account sees the reason', async () => {
  const { html } = await operator.get(pageOf(customer))
  expect(html).toContain(operator.email)
  expect(html).toContain('127.0.0.1')
  const own = await customer.get('/dashboard/audit')
  expect(own.html).toContain('because of INC-7')
  expect(own.html).toContain('Operator')
  for (const hidden of [operator.email, operator.developerId, '127.0.0.1']) {
    expect(own.html).not.toContain(hidden)
  }
})

test('an operator cannot suspend their own account, or one that does not exist', async () => {
  const own = await operator.post(`${pageOf(operator)}/suspend`, { reason: 'oops' })
  expect(own.status).toBe(400)
  expect((await stateOf(operator)).suspended_reason).toBeNull()
  for (const id of [randomUUID(), 'no-id']) {
    const path = pageOf({ accountId: id })
    expect((await operator.get(path)).status).toBe(404)
    expect((await operator.post(`${path}/suspend`, { reason: 'x' })).status).toBe(404)
  }
})

test.each([
  ['limits', { live: 'many', per_venue_day: '6' }],
  ['limits', { live: '-1', per_venue_day: '6' }],
  ['quota', { per_day: '1.5' }],
  ['quota', { per_day: '0' }],
  ['plan', { tier: 'gold' }],
  ['suspend', { reason: 'x'.repeat(501) }],
])('%s refuses %o and changes nothing', async (verb, fields) => {
  const before = [await stateOf(customer), await entriesOf(customer)]
  const answer = await operator.post(`${pageOf(customer)}/${verb}`, { reason: 'y', ...fields })
  expect(answer.status).toBe(400)
  expect([await stateOf(customer), await entriesOf(customer)]).toEqual(before)
})

test('the list finds accounts by name, plan and state', async () => {
  const named = async (name: string, tier = 'free') => {
    const { accountId } = await openBrowser(doors)
    await doors.db.query('update account set name = $2, tier = $3 where id = $1', [
      accountId,
      name,
      tier,
    ])
    return accountId
  }
  const [one, percent, pro] = [
    await named('Sari A'),
    await named('S%ri'),
    await named('Sari', 'pro'),
  ]
  await doors.db.query(
    `update account set suspended_at = now(), suspended_reason = 'x' where id = $1`,
    [one],
  )
  const found = async (query: string) => {
    const { html } = await operator.get(`/dashboard/operators/accounts?${query}`)
    return [one, percent, pro].map((id) => html.includes(id))
  }
  expect(await found('name=sari')).toEqual([true, false, true])
  expect(await found('name=s%25')).toEqual([false, true, false])
  expect(await found('name=sari&tier=pro')).toEqual([false, false, true])
  expect(await found('state=suspended')).toEqual([true, false, false])
  expect(await found('')).toEqual([true, true, true])
})

test('an account’s page shows what it has, but no guests or secrets', async () => {
  const { bookingId, endpointId } = await makeTraffic(doors.db, customer.accountId)
  const guest = { name: 'Ketut Secret', phone: '+62811', email: 'ketut@example.com' }
  await doors.db.query(
    `insert into booking_guest (booking_id, name, phone, email, erase_after)
     select $1, $2, $3, $4, now() + interval '1 day' on conflict (booking_id)
     do update set name = excluded.name`,
    [bookingId, guest.name, guest.phone, guest.email],
  )
  for (const page of [pageOf(customer), `/dashboard/operators/bookings/${bookingId}`]) {
    const { status, html } = await operator.get(page)
    expect(status).toBe(200)
    for (const secret of [guest.name, guest.email, key, 'said by the receiver']) {
      expect(html).not.toContain(secret)
    }
  }
  const { html } = await operator.get(pageOf(customer))
  for (const thing of [bookingId, endpointId, customer.email, key.slice(-4)]) {
    expect(html).toContain(thing)
  }
})
