import { afterAll, beforeAll, expect, test } from 'vitest'
import { clocksCreated } from '../../src/clocks/rules/test-clocks.ts'
import { throttle } from '../../src/platform/database/throttle.ts'
import { agentWith } from '../support/agent.ts'
import { openTestClock } from '../support/clocks.ts'
import type { Holder } from '../support/open-doors.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

const DAY_MS = 86_400_000

let doors: Doors
let holder: Holder

beforeAll(async () => {
  doors = await openDoors()
  holder = await doors.openAccount('free')
})
afterAll(() => doors.close())

const owner = (who = holder) => ({
  url: doors.url,
  agent: agentWith(doors.url, who.accountId, who.key),
})

test('a clock shows the current time unless it is given another one', async () => {
  const clock = await openTestClock(owner())
  expect(Math.abs((await clock.now()) - Date.now())).toBeLessThan(30_000)
  const now = new Date(Date.now() + 100 * DAY_MS).toISOString()
  const later = await openTestClock(owner(), { now })
  expect(Math.abs((await later.now()) - Date.parse(now))).toBeLessThan(30_000)
})

test('a clock cannot begin more than a year away', async () => {
  for (const days of [-400, 400]) {
    const now = new Date(Date.now() + days * DAY_MS).toISOString()
    const { status, body } = await owner().agent.post('/api/test_clocks', { now })
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  }
})

test('a repeated request with an idempotency key creates one clock and shows no key', async () => {
  const { agent } = owner()
  const headers = { 'idempotency-key': 'one-clock' }
  const first = await agent.post('/api/test_clocks', { name: 'once' }, headers)
  const again = await agent.post('/api/test_clocks', { name: 'once' }, headers)
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.body.test_clock.id).toBe(first.body.test_clock.id)
  expect(again.body.raw_key).toBeUndefined()
})

test('a clock moves forward only, not too far, and to one target at a time', async () => {
  const { agent } = owner()
  const clock = await openTestClock(owner())
  const path = `/api/test_clocks/${clock.id}/advance`
  const post = async (body: object) => {
    const answer = await agent.post(path, { wait: 0, ...body })
    return [answer.status, answer.body.code ?? answer.body.status]
  }
  const past = new Date(Date.now() - DAY_MS).toISOString()
  const to = new Date(Date.now() + DAY_MS).toISOString()
  expect(await post({ to: past })).toEqual([422, 'clock_backwards'])
  expect(await post({ by: 'P800D' })).toEqual([422, 'clock_too_far'])
  expect(await post({})).toEqual([400, 'invalid_request'])
  expect(await post({ by: 'P1M' })).toEqual([400, 'invalid_request'])
  expect(await post({ to, by: 'P1D' })).toEqual([400, 'invalid_request'])
  expect(await post({ to })).toEqual([202, 'pending'])
  expect(await post({ to })).toEqual([202, 'pending'])
  expect(await post({ by: 'P1D' })).toEqual([409, 'clock_advancing'])
})

test('a live account and the clock of another account cannot be moved', async () => {
  const clock = await openTestClock(owner())
  const other = owner(await doors.openAccount('free'))
  for (const id of [holder.accountId, clock.id]) {
    const { status, body } = await other.agent.post(`/api/test_clocks/${id}/advance`, {
      by: 'P1D',
    })
    expect([status, body.code]).toEqual([404, 'clock_not_found'])
  }
  const own = await owner().agent.post(`/api/test_clocks/${holder.accountId}/advance`, {
    by: 'P1D',
  })
  expect(own.body.code).toBe('clock_not_found')
  expect((await other.agent.get('/api/test_clocks')).body.test_clocks).toEqual([])
})

test('the key of a clock reads its own clock, and is refused once that is deleted', async () => {
  const clock = await openTestClock(owner())
  expect((await clock.agent.get(`/api/test_clocks/${clock.id}`)).status).toBe(200)
  const answer = await fetch(`${doors.url}/api/test_clocks/${clock.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${holder.key}` },
  })
  expect(answer.status).toBe(200)
  expect((await clock.agent.get('/api/bookings')).status).toBe(401)
  expect((await owner().agent.get(`/api/test_clocks/${clock.id}`)).body.code).toBe(
    'clock_not_found',
  )
})

test('an account has at most twenty clocks, however many it requests at once', async () => {
  const full = await doors.openAccount('free')
  const { agent } = owner(full)
  const first = await openTestClock(owner(full))
  await doors.db.query(
    `with made as (
       insert into account (id, name, tier, created_at, mode, live_account_id, sandbox_kind)
       select gen_random_uuid(), 'clock', 'pro', now(), 'test', $1, 'clock'
       from generate_series(1, 18) returning id)
     insert into test_clock (account_id, name, ahead_ms, created_at)
     select id, 'clock', 0, now() from made`,
    [full.accountId],
  )
  // A clock's key creates clocks for the same account.
  const asked = [agent, first.agent, agent].map((by) => by.post('/api/test_clocks', {}))
  const answers = await Promise.all(asked)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({
    code: 'clock_limit',
    detail:
      'An account can have 20 test clocks. Delete one that you no longer need, then try again.',
  })
})

test('deleting clocks does not allow creating more of them within the hour', async () => {
  const busy = await doors.openAccount('free')
  const { agent } = owner(busy)
  const clock = await openTestClock(owner(busy))
  const { byAccount } = clocksCreated
  for (let nth = 2; nth < byAccount.most; nth += 1) {
    await throttle(doors.db, byAccount, busy.accountId, new Date())
  }
  const last = await openTestClock(owner(busy))
  for (const { id } of [clock, last]) {
    const headers = { authorization: `Bearer ${busy.key}` }
    const deleted = await fetch(`${doors.url}/api/test_clocks/${id}`, { method: 'DELETE', headers })
    expect(deleted.status).toBe(200)
  }
  const { status, body } = await agent.post('/api/test_clocks', {})
  expect([status, body.code]).toEqual([429, 'too_many_tries'])
  expect(body.detail).toMatch(/Try again in \d+ minutes/)
  expect(body.retry_after).toBeGreaterThan(3_000)
  const other = owner(await doors.openAccount('free'))
  expect((await other.agent.post('/api/test_clocks', {})).status).toBe(201)
})

test('limits that addresses share count real time, whatever a clock shows', async () => {
  const now = new Date(Date.now() + 300 * DAY_MS).toISOString()
  const clock = await openTestClock(owner(), { now })
  const { status } = await clock.agent.post('/api/webhooks', { url: 'https://agent.example/hooks' })
  expect(status).toBe(201)
  const { rows } = await doors.db.query('select max(ends_at) as ends_at from throttle_window')
  expect(rows[0].ends_at.getTime()).toBeLessThan(Date.now() + 2 * DAY_MS)
})
