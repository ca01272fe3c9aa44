import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertFeeAccrual } from '../../src/bookings/store/fees.ts'
import { insertBareBooking } from '../support/bare-booking.ts'
import { openBrowser } from '../support/developers.ts'
import { callsAt, webhookDoors } from '../support/endpoint-calls.ts'
import {
  bearer,
  type Doors,
  type Holder,
  jsonOf,
  openDoors,
  postEnvelope,
} from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'

let doors: Doors
let holder: Holder
beforeAll(async () => {
  doors = await openDoors()
  holder = await doors.openAccount('free', 1_000)
  const headers = bearer(holder.key)
  await fetch(`${doors.url}/api/ping`, { headers })
  await fetch(`${doors.url}/api/venues?limit=1`, { headers })
  await fetch(`${doors.url}/api/venues/search?nonsense=1`, { headers })
  await postEnvelope(doors.url, holder.key, { intent: 'network.ping', from: 'agent://concierge' })
  await postEnvelope(doors.url, holder.key, { intent: 'booking.teleport' })
  await eventually('five requests in the log', async () =>
    (await logged('')).length >= 5 ? true : undefined,
  )
})
afterAll(() => doors?.close())

const read = async (path: string, { key } = holder) =>
  jsonOf(await fetch(`${doors.url}${path}`, { headers: bearer(key) }))

const logged = async (query: string, from = holder): Promise<any[]> => {
  const { requests } = await read(`/api/requests?limit=100${query}`, from)
  return requests.filter(({ operation }: any) => operation !== 'requests')
}

describe('the request log', () => {
  test('lists every request of the account with its door, answer, sender and time', async () => {
    const found = await logged('')
    expect(found.map(({ door, operation, code, from }) => [door, operation, code, from])).toEqual([
      ['a2a', 'unknown', 'unknown_intent', null],
      ['a2a', 'ping', 'ok', 'agent://concierge'],
      ['rest', 'search venues', 'invalid_request', null],
      ['rest', 'list venues', 'ok', null],
      ['rest', 'ping', 'ok', null],
    ])
    for (const { ms, key_id, calls } of found) {
      expect(ms).toBeGreaterThan(0)
      expect([key_id, calls]).toEqual([holder.keyId, 1])
    }
  })

  test('shows the request id that the caller got', async () => {
    const response = await fetch(`${doors.url}/api/agents/public`, { headers: bearer(holder.key) })
    const id = response.headers.get('x-request-id')
    const found = await eventually('the request', async () =>
      (await logged('')).find(({ request_id }) => request_id === id),
    )
    expect(found).toMatchObject({ door: 'rest', code: 'ok' })
  })

  test.each([
    ['&code=refused', 2],
    ['&code=unknown_intent', 1],
    ['&door=a2a', 2],
    ['&operation=ping', 2],
    ['&operation=ping&door=rest&code=ok', 1],
    ['&until=2020-01-01T00:00:00Z', 0],
    ['&operation=ping&from=2020-01-01T00:00:00Z', 2],
  ])('%s finds %i', async (query, count) => {
    expect(await logged(query)).toHaveLength(count)
  })

  test('continues after the previous page', async () => {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const page = await read(
        `/api/requests?limit=2&operation=ping${cursor && `&cursor=${cursor}`}`,
      )
      seen.push(...page.requests.map(({ request_id }: any) => request_id))
      if (page.next_cursor === null) break
      cursor = page.next_cursor
    }
    expect(seen).toEqual((await logged('&operation=ping')).map(({ request_id }) => request_id))
  })

  test.each(['?code=fine', '?door=dashboard', '?key=x', '?from=now', '?limit=0', '?cursor=x'])(
    '%s is refused',
    async (query) => {
      const { status, code } = await read(`/api/requests${query}`)
      expect([status, code]).toEqual([
        400,
        query === '?cursor=x' ? 'invalid_cursor' : 'invalid_request',
      ])
    },
  )

  test('refuses an operation name that the database cannot store', async () => {
    const byRest = await read('/api/requests?operation=%00')
    expect([byRest.status, byRest.code]).toEqual([400, 'invalid_request'])
    const message = { intent: 'request.list', params: { operation: 'pi\u0000ng' } }
    const { body } = await postEnvelope(doors.url, holder.key, message)
    expect(body.error).toMatchObject({ code: 'invalid_request' })
    const developer = await openBrowser(doors)
    expect((await developer.get('/dashboard/requests?operation=%00')).status).toBe(400)
  })

  test('does not show another account’s requests, at any door', async () => {
    const other = await doors.openAccount('free')
    expect(await logged('', other)).toEqual([])
    for (const door of webhookDoors) {
      const call = callsAt(
        door,
        () => doors,
        () => other,
      )
      const { body } = await call('usage.get')
      expect(body.month.bookings).toBe(0)
    }
  })

  test('merges rate-limit refusals', async () => {
    const spent = await doors.openAccount('free', 1)
    const call = () => fetch(`${doors.url}/api/ping`, { headers: bearer(spent.key) })
    await Promise.all(Array.from({ length: 40 }, call))
    const rows = await eventually('the refusals in the log', async () => {
      const found = await doors.db.query(
        `select code, sum(calls)::int as calls, count(*)::int as entries from request_log
         where account_id = $1 group by code order by code`,
        [spent.accountId],
      )
      const calls = found.rows.reduce((sum, row) => sum + row.calls, 0)
      return calls === 40 ? found.rows : undefined
    })
    expect(rows[0]).toMatchObject({ code: 'ok', calls: 1 })
    expect(rows[1]).toMatchObject({ code: 'quota_exceeded', calls: 39 })
    expect(rows[1]?.entries).toBeLessThan(20)
  })
})

test('a key shows when and through which door it was last used', async () => {
  const { key, keyId } = await doors.openAccount('free')
  await postEnvelope(doors.url, key, { intent: 'network.ping' })
  const used = await eventually('the last use', async () => {
    const { rows } = await doors.db.query(
      'select last_used_at, last_used_door from api_key where id = $1',
      [keyId],
    )
    return rows[0]?.last_used_at ? rows[0] : undefined
  })
  expect(used.last_used_door).toBe('a2a')
  expect(Math.abs(used.last_used_at.getTime() - Date.now())).toBeLessThan(60_000)
})

describe('usage', () => {
  test('shows what is left of today’s quota', async () => {
    const { key } = await doors.openAccount('free', 50)
    await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })
    const { today } = await read('/api/usage', { ...holder, key })
    const day = new Date().toISOString().slice(0, 10)
    expect(today).toMatchObject({ day, used: 2, limit: 50, remaining: 48 })
    expect(today.resets_at).toBe(new Date(Date.parse(day) + 86_400_000).toISOString())
  })

  test('counts requests per day by outcome, including empty days', async () => {
    const { accountId, key } = await doors.openAccount('free')
    await doors.db.query(
      `insert into usage_day (account_id, day, code, calls)
       values ($1, current_date - 2, 'ok', 7), ($1, current_date - 2, 'venue_not_found', 3),
         ($1, current_date - 40, 'ok', 1)`,
      [accountId],
    )
    const { days } = await read('/api/usage?days=4', { ...holder, key })
    expect(days.map(({ calls, by_code }: any) => [calls, by_code])).toEqual([
      [0, {}],
      [10, { ok: 7, venue_not_found: 3 }],
      [0, {}],
      [0, {}],
    ])
  })

  test('shows the total bookings and fees of a month', async () => {
    const { accountId, key } = await doors.openAccount('free')
    const id = await insertBareBooking(doors.db, accountId)
    const booking = { id, account_id: accountId, is_demo: false }
    const fee = { base_minor: 4000, amount_minor: 100, currency: 'IDR', pct: 2.5 }
    await insertFeeAccrual(doors.db, booking, fee, new Date())
    const { month } = await read('/api/usage', { ...holder, key })
    expect(month).toMatchObject({ bookings: 1, by_status: { failed: 1 } })
    expect(month.fees).toMatchObject([{ currency: 'IDR', total_minor: 100 }])
    const { month: earlier } = await read('/api/usage?month=2026-01', { ...holder, key })
    expect(earlier).toEqual({ month: '2026-01', bookings: 0, by_status: {}, fees: [] })
  })
})
