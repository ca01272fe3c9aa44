import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pingMessage } from '../support/mcp-stream.ts'
import { postMessage } from '../support/mcp-streamable.ts'
import { bearer, type Doors, openDoors } from '../support/open-doors.ts'

const ALLOWED = 'https://app.example'
const OTHER = 'https://other.example'
let doors: Doors

beforeAll(async () => {
  doors = await openDoors({ ALLOWED_ORIGINS: ALLOWED })
})
afterAll(() => doors?.close())

/** The preflight of a request that is not simple (Fetch standard, section 4.8). */
const preflight = (path: string, origin: string, method: string, headers = 'authorization') =>
  fetch(doors.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': headers,
    },
  })
const allowedOriginOf = ({ headers }: Response) => headers.get('access-control-allow-origin')

describe.each([
  ['GET', '/api/bookings'],
  ['POST', '/api/bookings'],
  ['PATCH', '/api/agents/concierge'],
  ['GET', '/api/venues/search?q=spa'],
  ['POST', '/a2a/v1'],
  ['POST', '/mcp'],
  ['GET', '/mcp/sse'],
  ['POST', '/mcp/messages?sessionId=x'],
])('%s %s', (method, path) => {
  test('may be sent by pages of an allowed origin, with a key', async () => {
    const asked = 'authorization, content-type, idempotency-key, mcp-protocol-version'
    const response = await preflight(path, ALLOWED, method, asked)
    expect([response.status, allowedOriginOf(response)]).toEqual([204, ALLOWED])
    expect(response.headers.get('access-control-allow-headers')).toBe(asked)
    expect(response.headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    expect(response.headers.get('vary')).toContain('Origin')
  })

  test('may not be sent by pages of other origins', async () => {
    const response = await preflight(path, OTHER, method)
    expect([response.ok, allowedOriginOf(response)]).toEqual([false, null])
  })
})

test.each([
  '/.well-known/agent-card.json',
  '/.well-known/api-catalog',
  '/openapi.json',
  '/llms.txt',
  '/llms-full.txt',
  '/venues/kelapa-bathhouse-ubud.md',
  '/docs/doors.md',
  '/api/venues?limit=1',
  '/api/venues/kelapa-bathhouse-ubud',
  '/api/agents/public',
])('%s can be read by pages of any origin', async (path) => {
  const response = await fetch(doors.url + path, { headers: { origin: OTHER } })
  expect([response.status, allowedOriginOf(response)]).toEqual([200, '*'])
  const asked = await preflight(path, OTHER, 'GET', 'if-none-match')
  expect([asked.status, allowedOriginOf(asked)]).toEqual([204, '*'])
  expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).not.toContain(
    'authorization',
  )
})

test.each(['token', 'revoke', 'register'])(
  'pages of any origin may post to /oauth/%s, without cookies',
  async (endpoint) => {
    const response = await preflight(`/oauth/${endpoint}`, OTHER, 'POST', 'content-type')
    expect([response.status, allowedOriginOf(response)]).toEqual([204, '*'])
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  },
)

test('a page of an allowed origin can read refusals and their headers', async () => {
  const { key } = await doors.openAccount('free')
  const response = await fetch(`${doors.url}/api/bookings/x`, {
    headers: { origin: ALLOWED, ...bearer(key) },
  })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(allowedOriginOf(response)).toBe(ALLOWED)
  const exposed = response.headers.get('access-control-expose-headers')?.split(', ')
  expect(exposed).toEqual(expect.arrayContaining(['RateLimit', 'Retry-After', 'X-Request-Id']))
  const refused = await fetch(`${doors.url}/api/bookings`, { headers: { origin: ALLOWED } })
  expect([refused.status, allowedOriginOf(refused)]).toEqual([401, ALLOWED])
})

test('MCP accepts messages from pages of an allowed origin', async () => {
  const response = await postMessage(`${doors.url}/mcp`, pingMessage, { origin: ALLOWED })
  expect([response.status, allowedOriginOf(response)]).toEqual([200, ALLOWED])
})

test.each(['/dashboard', '/sign-in', '/account', '/venue/x', '/reference/'])(
  '%s is for no other origin',
  async (path) => {
    for (const origin of [ALLOWED, OTHER]) {
      const options = { headers: { origin }, redirect: 'manual' as const }
      expect(allowedOriginOf(await fetch(doors.url + path, options))).toBeNull()
      expect((await preflight(path, origin, 'POST')).status).not.toBe(204)
    }
  },
)

test('an OPTIONS request that is not a preflight is refused', async () => {
  const response = await fetch(`${doors.url}/api/bookings`, { method: 'OPTIONS' })
  expect(response.status).toBe(405)
  expect((await fetch(`${doors.url}/nowhere`, { method: 'OPTIONS' })).status).toBe(404)
})
