import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newRawKey } from '../../src/accounts/store/key-secret.ts'
import { venueLinkUrl } from '../../src/confirmation/rules/venue-link.ts'
import { insertLink } from '../../src/confirmation/store/venue-links.ts'
import {
  bearer,
  type Doors,
  jsonOf,
  openDoors,
  postEnvelope,
  signIn,
} from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(doors.url + path, { headers })

const usedBy = async (accountId: string): Promise<number> => {
  const found = await doors.db.query('select used from quota_day where account_id = $1', [
    accountId,
  ])
  return found.rows[0]?.used ?? 0
}

describe('keys', () => {
  test('unknown and revoked keys are indistinguishable, and malformed ones alike', async () => {
    const revoked = await doors.openAccount('pro')
    await doors.db.query('update api_key set revoked_at = now() where id = $1', [revoked.keyId])
    const attempts = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Basic dXNlcjpwYXNz' },
      { authorization: `Bearer ${newRawKey()} ${newRawKey()}` },
      bearer('service_live_short'),
      bearer(newRawKey()),
      bearer(revoked.key),
    ]
    const answers = []
    for (const headers of attempts) {
      const response = await get('/api/ping', headers as Record<string, string>)
      const { request_id, ...problem } = await jsonOf(response)
      expect(request_id).toBe(response.headers.get('x-request-id'))
      const challenge = response.headers.get('www-authenticate')
      answers.push({ status: response.status, challenge, problem })
    }
    for (const [index, answer] of answers.entries()) {
      const why = index > 0 && 'error="invalid_token", error_description="Sign in to go on.", '
      const challenge = `Bearer ${why || ''}${signIn('/api')}`
      expect(answer).toMatchObject({ status: 401, challenge, problem: { code: 'unauthenticated' } })
    }
    const [unknown, ended] = answers.slice(-2)
    expect(ended).toEqual(unknown)
    for (const malformed of answers.slice(2, -2)) expect(malformed).toEqual(answers[1])
  })

  test('a public address needs no key but refuses a wrong one', async () => {
    expect((await get('/api/venues?limit=1')).status).toBe(200)
    expect((await get('/api/venues?limit=1', bearer(newRawKey()))).status).toBe(401)
    const { status } = await postEnvelope(doors.url, null, { intent: 'venue.list' })
    expect(status).toBe(401)
  })

  test('a key works until it is revoked, and never after', async () => {
    const holder = await doors.openAccount('free')
    expect((await get('/api/ping', bearer(holder.key))).status).toBe(200)
    await doors.db.query('update api_key set revoked_at = now() where id = $1', [holder.keyId])
    expect((await get('/api/ping', bearer(holder.key))).status).toBe(401)
  })
})

describe('quota', () => {
  test('of 300 concurrent requests exactly 100 pass, across all doors', async () => {
    const { key, accountId } = await doors.openAccount('free')
    const statuses = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        if (index % 2 === 0) return (await get('/api/ping', bearer(key))).status
        return (await postEnvelope(doors.url, key, { intent: 'network.ping' })).status
      }),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(200)
    expect(await usedBy(accountId)).toBe(100)
  })

  test('the headers count down, and the refusal says when to retry', async () => {
    const { key } = await doors.openAccount('free', 2)
    const left = []
    for (let n = 0; n < 2; n += 1) {
      const { headers } = await get('/api/ping', bearer(key))
      expect(headers.get('ratelimit-policy')).toBe('"day";q=2;w=86400')
      left.push(/^"day";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1])
    }
    expect(left).toEqual(['1', '0'])
    const refused = await get('/api/ping', bearer(key))
    const problem = await jsonOf(refused)
    expect(problem).toMatchObject({
      code: 'quota_exceeded',
      status: 429,
      retryable: true,
      limit: 2,
    })
    expect(refused.headers.get('retry-after')).toBe(String(problem.retry_after))
    expect(problem.retry_after).toBeGreaterThan(0)
    expect(problem.retry_after).toBeLessThanOrEqual(86_400)
    const envelope = await postEnvelope(doors.url, key, { intent: 'network.ping' })
    expect(envelope.body.error.code).toBe('quota_exceeded')
    expect(envelope.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  test('calls refused after authentication count too; public addresses do not', async () => {
    const { key, accountId } = await doors.openAccount('free')
    await get('/api/venues/search?nonsense=1', bearer(key))
    await fetch(`${doors.url}/api/bookings`, { method: 'POST', headers: bearer(key) })
    await postEnvelope(doors.url, key, { intent: 'booking.teleport' })
    expect(await usedBy(accountId)).toBe(3)
    await get('/api/venues?limit=1', bearer(key))
    await get('/api/agents/public', bearer(key))
    expect(await usedBy(accountId)).toBe(3)
  })
})

test('public addresses are limited by IP address, and each key has its own limit', async () => {
  const strict = await openDoors({ OPEN_REQUESTS_PER_MINUTE: '3' })
  const { key } = await strict.openAccount('free')
  const list = (headers = {}) => fetch(`${strict.url}/api/agents/public`, { headers })
  const statuses = [await list(), await list(), await list(), await list()]
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 429])
  const refused = statuses[3] as Response
  expect(await jsonOf(refused)).toMatchObject({ code: 'rate_limited', retryable: true })
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=3;w=60')
  expect((await list(bearer(key))).status).toBe(200)
  // A venue's board shares the address of its guests.
  const { rows } = await strict.db.query('select id from venue where not is_test limit 1')
  const link = { id: randomUUID(), venueId: rows[0].id, bookingId: null, days: 1, at: new Date() }
  const page = venueLinkUrl(strict.sealer, strict.url, await insertLink(strict.db, link))
  expect((await fetch(page)).status).toBe(200)
  expect((await fetch(`${page}x`)).status).toBe(429)
  await strict.close()
})

/** The first degraded answer; other requests may still share an earlier check. */
const untilDegraded = () =>
  eventually('a degraded state', async () => {
    const answer = await get('/readyz')
    const body = await jsonOf(answer)
    return body.status === 'degraded' && { status: answer.status, body }
  })

describe('health', () => {
  test('every part is listed, and without Temporal the process is ready for reads', async () => {
    const ready = await get('/readyz')
    expect(ready.status).toBe(200)
    expect(await ready.json()).toMatchObject({
      status: 'ready',
      parts: { postgresql: { state: 'up' }, temporal: { state: 'up' } },
    })
    doors.engine.check = async () => {
      throw new Error('gone')
    }
    expect(await untilDegraded()).toMatchObject({
      status: 200,
      body: {
        cause: expect.stringContaining('searches and reads work'),
        parts: { postgresql: { state: 'up' }, temporal: { state: 'down' } },
      },
    })
    expect((await get('/healthz')).status).toBe(200)
  })

  test('a Temporal server that hangs counts as down before a probe gives up', async () => {
    doors.engine.check = () => new Promise(() => {})
    const { body } = await untilDegraded()
    expect(body.parts.temporal.ms).toBeLessThan(1_000)
  })

  test('any number of probes share a check', async () => {
    let checks = 0
    doors.engine.check = async () => {
      checks += 1
    }
    await eventually(
      'readiness',
      async () => (await jsonOf(await get('/readyz'))).status === 'ready',
    )
    checks = 0
    await Promise.all(Array.from({ length: 100 }, () => get('/readyz')))
    expect(checks).toBeLessThan(20)
  })

  test('calls are measured by door, operation and code', async () => {
    await get('/api/ping')
    const text = await (await get('/metrics')).text()
    expect(text).toMatch(
      /http_call_duration_seconds_count\{door="rest",operation="ping",code="unauthenticated"\} \d+/,
    )
  })
})

test('without a database every call is a 503 with a retry time', async () => {
  let cut = async () => {}
  const lost = await openDoors({}, async (databaseUrl) => {
    const address = new URL(databaseUrl)
    const proxy = await openTcpProxy(address.hostname, Number(address.port))
    cut = proxy.close
    address.port = String(proxy.port)
    return address.href
  })
  const { key } = await lost.openAccount('free')
  await cut()
  const response = await fetch(`${lost.url}/api/ping`, { headers: bearer(key) })
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('5')
  expect(await response.json()).toMatchObject({ code: 'service_unavailable', retryable: true })
  expect(await jsonOf(await fetch(`${lost.url}/readyz`))).toMatchObject({
    parts: { postgresql: { state: 'down' } },
  })
  await lost.close()
})
