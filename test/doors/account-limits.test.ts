import { randomUUIDv7 } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { insertKey } from '../../src/accounts/store/accounts.ts'
import { hashKey, newRawKey } from '../../src/accounts/store/key-secret.ts'
import { scopes } from '../../src/base/scopes.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { insertSandbox } from '../../src/sandbox/store/sandboxes.ts'
import { openTokenHolder } from '../support/access-token.ts'
import { inThreeDays } from '../support/agent.ts'
import { browse, openBrowser } from '../support/developers.ts'
import { bearer, type Doors, jsonOf, openDoors, postEnvelope } from '../support/open-doors.ts'
import { addVenue } from '../support/test-venues.ts'

let doors: Doors | undefined
afterEach(() => doors?.close())

const ping = async ({ url }: Doors, headers: Record<string, string>) => {
  const response = await fetch(`${url}/api/ping`, { headers, signal: AbortSignal.timeout(30_000) })
  const { code = 'ok', retry_after } = await jsonOf(response)
  expect(response.headers.get('retry-after')).toBe(retry_after ? String(retry_after) : null)
  return { code, status: response.status }
}
const codesOf = (answers: readonly { code: string }[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ code }) => code)).map(([code, all = []]) => [
      code,
      all.length,
    ]),
  )

test('calls that an account sends too fast do not use up its daily quota', async () => {
  doors = await openDoors({ REQUESTS_PER_SECOND: '1' })
  const [one, other] = [await doors.openAccount('free'), await doors.openAccount('free')]
  const rush = Array.from({ length: 30 }, () => ping(doors as Doors, bearer(one.key)))
  const codes = codesOf(await Promise.all(rush))
  expect(codes.account_rate_limited).toBeGreaterThan(0)
  expect(codes).toEqual({
    ok: 30 - Number(codes.account_rate_limited),
    account_rate_limited: expect.any(Number),
  })
  expect((await ping(doors, bearer(other.key))).code).toBe('ok')
  const { rows } = await doors.db.query('select used from quota_day where account_id = $1', [
    one.accountId,
  ])
  expect(rows).toEqual([{ used: codes.ok }])
})

test('without a key, it is the address that is limited', async () => {
  doors = await openDoors({ REQUESTS_PER_SECOND: '1' })
  const { url } = doors
  const { key } = await doors.openAccount('free')
  const list = async (headers = {}) =>
    jsonOf(await fetch(`${url}/api/agents/public`, { headers })).then(({ code = 'ok' }) => code)
  const rush = await Promise.all(Array.from({ length: 30 }, () => list()))
  expect(new Set(rush)).toEqual(new Set(['ok', 'rate_limited']))
  expect(await list(bearer(key))).toBe('ok')
})

test('an account’s calls in flight are limited, and its pages are counted separately', async () => {
  doors = await openDoors({ REQUESTS_IN_FLIGHT: '2' })
  const { db, url } = doors
  const browser = await openBrowser(doors)
  const { key, accountId } = await doors.openAccount('pro')
  await db.query('update member set account_id = $1 where account_id = $2', [
    accountId,
    browser.accountId,
  ])
  await ping(doors, bearer(key))
  const lock = await db.connect()
  try {
    await lock.query('begin; lock table quota_day in access exclusive mode')
    const calls = Array.from({ length: 5 }, () => ping(doors as Doors, bearer(key)))
    expect(await Promise.race(calls)).toEqual({ code: 'too_many_in_flight', status: 429 })
    const { status } = await browse(url, browser.cookie).get('/dashboard/agents')
    expect(status).toBe(200)
    await lock.query('rollback')
    expect(codesOf(await Promise.all(calls))).toEqual({ ok: 2, too_many_in_flight: 3 })
  } finally {
    lock.release(true)
  }
  expect((await ping(doors, bearer(key))).code).toBe('ok')
})

test('an account’s bookings in flight are limited, not counting its other calls', async () => {
  doors = await openDoors({ BOOKINGS_IN_FLIGHT: '2' })
  const { db, engine, url } = doors
  const [one, other] = [await doors.openAccount('pro'), await doors.openAccount('pro')]
  const decided = Promise.withResolvers<'pending'>()
  engine.confirm = async () => decided.promise
  const { id } = await addVenue(db, [{ strategy: 'pooled', rules: { places: 100 } }])
  const day = inThreeDays()
  const book = async ({ key }: { key: string }, n: number) => {
    const slot = { venue_id: id, slot_time: `${day}T19:00:00`, party_size: 2, guest_ref: `${n}` }
    const body = JSON.stringify(slot)
    const headers = { ...bearer(key), 'content-type': 'application/json' }
    const response = await fetch(`${url}/api/bookings`, { method: 'POST', headers, body })
    const { code = 'ok' } = await jsonOf(response)
    return { code, retryAfter: response.headers.get('retry-after') }
  }
  const bookings = Array.from({ length: 5 }, (_, n) => book(one, n))
  expect(await Promise.race(bookings)).toEqual({ code: 'too_many_in_flight', retryAfter: '1' })
  expect((await ping(doors, bearer(one.key))).code).toBe('ok')
  const others = book(other, 0)
  decided.resolve('pending')
  expect((await others).code).toBe('ok')
  expect(codesOf(await Promise.all(bookings))).toEqual({ ok: 2, too_many_in_flight: 3 })
  expect((await book(one, 9)).code).toBe('ok')
})

test('an account can book less often than it can read', async () => {
  doors = await openDoors({ BOOKINGS_PER_SECOND: '1' })
  const { key } = await doors.openAccount('pro')
  const cancel = async () => {
    const headers = { ...bearer(key), 'content-type': 'application/json' }
    const path = '/api/bookings/01a208b3-6c5f-7000-8000-000000000000/cancel'
    const response = await fetch(`${doors?.url}${path}`, { method: 'POST', headers, body: '{}' })
    return { code: (await jsonOf(response)).code ?? 'ok' }
  }
  const codes = codesOf(await Promise.all(Array.from({ length: 30 }, cancel)))
  expect(codes.account_rate_limited).toBeGreaterThan(0)
  expect((await ping(doors, bearer(key))).code).toBe('ok')
})

test('invalid keys and sessions count as open calls of their address', async () => {
  doors = await openDoors({ OPEN_REQUESTS_PER_MINUTE: '3' })
  const { key } = await doors.openAccount('free')
  const browser = await openBrowser(doors)
  expect((await ping(doors, bearer(key))).code).toBe('ok')
  expect((await browser.get('/dashboard/agents')).status).toBe(200)
  const codes: string[] = []
  for (let n = 0; n < 5; n += 1) codes.push((await ping(doors, bearer(newRawKey()))).code)
  expect(codes).toEqual([...Array(3).fill('unauthenticated'), 'rate_limited', 'rate_limited'])

  const madeUp = browse(doors.url, `venue_session=${'A'.repeat(43)}`)
  expect((await madeUp.get('/dashboard')).status).toBe(429)
  expect((await ping(doors, bearer(key))).code).toBe('ok')
  expect((await browser.get('/dashboard/agents')).status).toBe(200)
  expect((await ping(doors, {})).code).toBe('rate_limited')
})

test('strangers at the address of a hosted assistant keep no access token out', async () => {
  doors = await openDoors({ OPEN_REQUESTS_PER_MINUTE: '3' })
  const [{ token }, late] = [await openTokenHolder(doors), await openTokenHolder(doors)]
  await doors.db.query(`update oauth_artifact set expires_at = now() where grant_id = $1`, [
    late.grantId,
  ])
  const codes: string[] = []
  for (let n = 0; n < 5; n += 1) codes.push((await ping(doors, bearer(late.token))).code)
  expect(codes).toEqual(Array(5).fill('unauthenticated'))
  for (let n = 0; n < 4; n += 1) await ping(doors, {})
  expect((await ping(doors, {})).code).toBe('rate_limited')
  expect((await ping(doors, bearer(token))).code).toBe('ok')
  expect((await ping(doors, bearer(late.token))).code).toBe('unauthenticated')
  const { body } = await postEnvelope(doors.url, token, { intent: 'network.ping' })
  expect(body.error).toBeUndefined()
})

test('refusals by a limit are delayed, and other answers are not', async () => {
  doors = await openDoors({ REQUESTS_PER_SECOND: '1' }, undefined, undefined, undefined, {
    refusalDelayMs: 20_000,
  })
  const [one, other] = [await doors.openAccount('free'), await doors.openAccount('free')]
  const ended: string[] = []
  const leaving = new AbortController()
  const call = (name: string, { key }: { key: string }) =>
    fetch(`${doors?.url}/api/ping`, { headers: bearer(key), signal: leaving.signal }).then(
      ({ status }) => ended.push(`${name} ${status}`),
      () => ended.push(`${name} left`),
    )
  const rush = Array.from({ length: 9 }, () => call('one', one))
  await Promise.race(rush)
  await call('other', other)
  expect(ended).toContain('other 200')
  expect(ended).not.toContain('one 429')
  leaving.abort()
  await Promise.all(rush)
  expect(ended).toContain('one left')
})

test('calls that lack a required key are counted too, then left unread', async () => {
  doors = await openDoors({ OPEN_REQUESTS_PER_MINUTE: '3' })
  const { url } = doors
  const codes: string[] = []
  for (let n = 0; n < 5; n += 1) codes.push((await ping(doors, {})).code)
  expect(codes).toEqual([...Array(3).fill('unauthenticated'), 'rate_limited', 'rate_limited'])
  const parse = vi.spyOn(JSON, 'parse')
  const { status, body } = await postEnvelope(url, null, { intent: 'venue.list', unread: 'unread' })
  const parsed = parse.mock.calls.filter(([text]) => String(text).includes('unread'))
  parse.mockRestore()
  expect([status, body.error.code, parsed]).toEqual([429, 'rate_limited', []])
})

test('an account’s live key and its clocks share a meter', async () => {
  doors = await openDoors({ REQUESTS_PER_SECOND: '1' })
  const { key, accountId } = await doors.openAccount('free')
  const other = await doors.openAccount('free')
  const keys = [key, ...(await openSandboxes(doors, accountId, 4))]
  const rush = keys.flatMap((one) =>
    Array.from({ length: 6 }, () => ping(doors as Doors, bearer(one))),
  )
  const codes = codesOf(await Promise.all(rush))
  expect(codes.account_rate_limited).toBeGreaterThan(0)
  expect(codes).toEqual({
    ok: 30 - Number(codes.account_rate_limited),
    account_rate_limited: expect.any(Number),
  })
  expect((await ping(doors, bearer(other.key))).code).toBe('ok')
})

test('an account’s clocks share a daily quota, separate from that of its live calls', async () => {
  doors = await openDoors({ TEST_REQUESTS_PER_DAY: '4' })
  const { key, accountId } = await doors.openAccount('free')
  const keys = await openSandboxes(doors, accountId, 3)
  const codes: string[] = []
  for (const one of [...keys, ...keys]) codes.push((await ping(doors, bearer(one))).code)
  expect(codes).toEqual(['ok', 'ok', 'ok', 'ok', 'quota_exceeded', 'quota_exceeded'])
  // Creating a new sandbox does not reset the daily limit.
  const [anew = ''] = await openSandboxes(doors, accountId, 1)
  expect((await ping(doors, bearer(anew))).code).toBe('quota_exceeded')
  expect((await ping(doors, bearer(key))).code).toBe('ok')
  const { rows } = await doors.db.query(
    'select account_id, mode, used from quota_day order by mode',
  )
  expect(rows).toEqual([
    { account_id: accountId, mode: 'live', used: 1 },
    { account_id: accountId, mode: 'test', used: 4 },
  ])
})

/** The test keys of the account's new sandboxes. */
async function openSandboxes({ db }: Doors, liveAccountId: string, count: number) {
  const at = new Date()
  const keys: string[] = []
  for (let n = 0; n < count; n += 1) {
    const accountId = await transaction(db, (tx) =>
      insertSandbox(tx, { liveAccountId, kind: 'clock', at }),
    )
    const raw = newRawKey('test')
    const key = { id: randomUUIDv7(), accountId, name: 'clock', hash: hashKey(raw), hint: 'abcd' }
    await insertKey(db, { ...key, scopes, at })
    keys.push(raw)
  }
  return keys
}
