import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePlan } from '../../src/accounts/operations/change-plan.ts'
import { movePlan } from '../../src/accounts/store/plans.ts'
import { type Scope, scopes } from '../../src/base/scopes.ts'
import { callsAt, webhookDoors } from '../support/endpoint-calls.ts'
import { bearer, type Doors, type Holder, jsonOf, openDoors } from '../support/open-doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors({ FREE_REQUESTS_PER_DAY: '10', PRO_REQUESTS_PER_DAY: '40' })
})
afterAll(() => doors?.close())

const thisMonth = () => new Date().toISOString().slice(0, 7)

async function openHolder(tier: 'free' | 'pro', given: readonly Scope[] = scopes, from = doors) {
  const holder = await from.openAccount(tier)
  await from.db.query('update api_key set scopes = $2 where id = $1', [holder.keyId, given])
  return holder
}

const callAs = (holder: Holder, door: (typeof webhookDoors)[number] = 'REST', from = doors) =>
  callsAt(
    door,
    () => from,
    () => holder,
  )

describe.each(webhookDoors)('at %s', (door) => {
  test('an account moves to pro and back at once, and the month is invoiced once', async () => {
    const call = callAs(await openHolder('free'), door)
    expect((await call('plan.get')).body).toMatchObject({
      plan: { tier: 'free', requests_per_day: 10, upgrade_by: 'developer' },
      offers: [
        { tier: 'free', books: false },
        { tier: 'pro', books: true, monthly_price: { amount_minor: 4900, currency: 'USD' } },
      ],
      changes: [],
      invoices: [],
    })
    for (const tier of ['pro', 'free', 'pro'] as const) {
      const moved = await call('plan.change', { tier })
      expect(moved.body).toMatchObject({ plan: { tier }, changed: true })
    }
    const { body } = await call('plan.get')
    expect(body.plan).toMatchObject({ tier: 'pro', requests_per_day: 40 })
    expect(body.changes.map(({ to, by }: any) => [to, by])).toEqual([
      ['pro', 'developer'],
      ['free', 'developer'],
      ['pro', 'developer'],
    ])
    expect(body.invoices).toMatchObject([
      { month: thisMonth(), kind: 'pro', amount_minor: 4900, currency: 'USD' },
    ])
  })

  test('moving to the current plan changes and invoices nothing', async () => {
    const call = callAs(await openHolder('pro'), door)
    expect((await call('plan.change', { tier: 'pro' })).body).toMatchObject({
      changed: false,
      invoices: [],
    })
    expect((await call('plan.get')).body.changes).toEqual([])
  })

  test.each([{}, { tier: 'gold' }, { tier: 'pro', by: 'operator' }])(
    '%j is refused',
    async (input) => {
      const call = callAs(await openHolder('free'), door)
      expect((await call('plan.change', input)).code).toBe('invalid_request')
    },
  )
})

test('of concurrent upgrades, one is recorded and invoiced', async () => {
  const { accountId } = await openHolder('free')
  const move = { accountId, to: 'pro', by: 'developer', proMonthlyMinor: 4900 } as const
  const before = await Promise.all(
    Array.from({ length: 8 }, () => movePlan(doors.db, { ...move, at: new Date() })),
  )
  expect(before.filter((tier) => tier === 'free')).toHaveLength(1)
  const { rows } = await doors.db.query(
    `select (select count(*) from plan_change where account_id = $1) as changes,
       (select count(*) from plan_period where account_id = $1) as invoices`,
    [accountId],
  )
  expect(rows).toEqual([{ changes: 1, invoices: 1 }])
})

test('invoices are shown only to keys that may see them', async () => {
  const narrow = callAs(await openHolder('free', ['keys']))
  const { body } = await narrow('plan.change', { tier: 'pro' })
  expect(body).toMatchObject({ plan: { tier: 'pro' }, changed: true })
  expect(body.invoices).toBeUndefined()
  const wide = callAs(await openHolder('free', ['keys', 'usage']))
  expect((await wide('plan.change', { tier: 'pro' })).body.invoices).toHaveLength(1)
})

test('leaving pro before the month has been invoiced invoices it', async () => {
  const call = callAs(await openHolder('pro'))
  expect((await call('plan.get')).body.invoices).toEqual([])
  const left = await call('plan.change', { tier: 'free' })
  expect(left.body.invoices).toMatchObject([{ month: thisMonth(), kind: 'pro' }])
  await call('plan.change', { tier: 'pro' })
  expect((await call('plan.get')).body.invoices).toHaveLength(1)
})

test('moving to free applies its quota at once, including today’s usage', async () => {
  const holder = await openHolder('pro')
  const ping = () => fetch(`${doors.url}/api/ping`, { headers: bearer(holder.key) })
  for (let n = 0; n < 12; n += 1) expect((await ping()).status).toBe(200)
  expect((await callAs(holder)('plan.change', { tier: 'free' })).code).toBe('ok')
  const refused = await ping()
  expect(await jsonOf(refused)).toMatchObject({ code: 'quota_exceeded', limit: 10 })
})

test('after a move to free booking is refused, and the refusal says how to return', async () => {
  const holder = await openHolder('pro')
  const call = callAs(holder)
  await call('plan.change', { tier: 'free' })
  const venue = { venue_id: crypto.randomUUID(), slot_time: '2027-01-15T19:00:00', party_size: 2 }
  const refused = await call('booking.confirm', venue)
  expect(refused.code).toBe('plan_required')
  expect(refused.message).toContain('/dashboard/plan')
  expect(refused.message).toContain('POST /api/plan')
  await call('plan.change', { tier: 'pro' })
  expect((await call('booking.confirm', venue)).code).toBe('venue_not_found')
})

test('if only the operator can upgrade, refusals name the account and no command', async () => {
  const strict = await openDoors({ PRO_UPGRADE: 'operator' })
  const holder = await openHolder('free', scopes, strict)
  const call = callAs(holder, 'REST', strict)
  const moved = await call('plan.change', { tier: 'pro' })
  expect(moved).toMatchObject({ status: 403, code: 'upgrade_by_operator' })
  expect(moved.body.account_id).toBe(holder.accountId)
  const venue = { venue_id: crypto.randomUUID(), slot_time: '2027-01-15T19:00:00', party_size: 2 }
  const booked = await call('booking.confirm', venue)
  expect(booked.body.account_id).toBe(holder.accountId)
  for (const { message } of [moved, booked]) {
    expect(message).toContain('quote `account_id`')
    expect(message).not.toMatch(/npm|docker/)
  }
  expect((await call('plan.get')).body.plan.upgrade_by).toBe('operator')
  expect((await call('plan.change', { tier: 'free' })).body.changed).toBe(false)
  await strict.close()
})

test('a request admitted on pro cannot override the operator’s move to free', async () => {
  const { accountId } = await openHolder('pro')
  const settings = { proUpgrade: 'operator', proMonthlyUsd: 49, feePct: 2.5 }
  const requestsPerDay = { free: 10, pro: 40 }
  const letIn = {
    db: doors.db,
    settings: { ...settings, requestsPerDay },
    account: { id: accountId, name: 'test', tier: 'pro' },
    scopes,
    at: new Date(),
  }
  const move = { accountId, to: 'free', by: 'operator', proMonthlyMinor: 4900 } as const
  await movePlan(doors.db, { ...move, at: new Date() })
  const answer = await changePlan.run(letIn as any, { tier: 'pro' })
  expect(answer).toMatchObject({ plan: { tier: 'free' }, changed: false })
  const { rows } = await doors.db.query(
    `select tier, (select count(*) from plan_change where account_id = $1) as changes from account
     where id = $1`,
    [accountId],
  )
  expect(rows).toEqual([{ tier: 'free', changes: 1 }])
})
