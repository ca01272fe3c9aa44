import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentCard } from '../../src/agents/schema/agents.ts'
import { errorCatalogue } from '../../src/base/error-catalogue.ts'
import { catalogue } from '../../src/network.ts'
import { eventTypes } from '../../src/webhooks/rules/event-types.ts'
import {
  bearer,
  type Holder,
  jsonOf,
  openPublicDoors,
  type PublicDoors,
  postEnvelope,
} from '../support/open-doors.ts'

let doors: PublicDoors
let free: Holder
beforeAll(async () => {
  doors = await openPublicDoors()
  free = await doors.openAccount('free')
})
afterAll(() => doors.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(doors.url + path, { headers })

test('the Agent Card has the fields of the specification and can be cached', async () => {
  const response = await get('/.well-known/agent-card.json')
  const card = await jsonOf(response)
  expect(card).toMatchObject({
    name: expect.any(String),
    description: expect.any(String),
    capabilities: ['booking', 'discovery', 'reminders', 'commerce'],
    protocols: ['a2a', 'x402', 'mcp'],
    endpoints: { a2a: `${doors.publicUrl}/a2a/v1`, mcp: `${doors.publicUrl}/mcp/sse` },
    planned: { capabilities: ['commerce'], protocols: ['x402'] },
    mcp: {
      url: `${doors.publicUrl}/mcp`,
      transport: 'streamable-http',
      versions: ['2026-07-28', '2025-11-25'],
      tools_without_key: [
        ...['check_availability', 'search_venues', 'list_venues', 'get_venue'],
        ...['search', 'fetch'],
      ],
    },
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  })
  expect(agentCard.parse(card)).toEqual(card)
  expect(card.skills.map(({ id }: { id: string }) => id)).toEqual(catalogue.map(({ a2a }) => a2a))
  const etag = response.headers.get('etag') ?? ''
  expect((await get('/.well-known/agent-card.json', { 'if-none-match': etag })).status).toBe(304)
})

describe('OpenAPI', () => {
  test('every operation of the catalogue is described, with its errors', async () => {
    const document = await jsonOf(await get('/openapi.json'))
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: '/' }])
    for (const { rest, operation: own } of catalogue) {
      const [method = '', path = ''] = rest.route.split(' ')
      const operation = document.paths[path][method.toLowerCase()]
      expect(operation.responses.default).toEqual({ $ref: '#/components/responses/Refused' })
      expect(operation['x-refusals']).toEqual(
        expect.arrayContaining(['invalid_request', 'unauthenticated', ...own.errors]),
      )
    }
    const search = document.paths['/api/venues/search'].get
    expect(search.parameters[0]).toMatchObject({ name: 'q', in: 'query', required: true })
    expect(document.paths['/api/bookings'].post.responses).toHaveProperty('201')
  })

  test('every event type is described as a webhook', async () => {
    const { webhooks } = await jsonOf(await get('/openapi.json'))
    expect(Object.keys(webhooks)).toEqual(eventTypes)
    const { post } = webhooks['booking.amended']
    const { properties, required } = post.requestBody.content['application/json'].schema
    expect(post.parameters).toContainEqual({ $ref: '#/components/parameters/WebhookId' })
    expect(required).toEqual(['id', 'type', 'timestamp', 'sequence', 'data'])
    expect(properties.data.properties.booking).toEqual({ $ref: '#/components/schemas/Booking' })
    expect(properties.data.required).toEqual(['booking', 'previous'])
  })

  test('every reference resolves', async () => {
    const text = await (await get('/openapi.json')).text()
    const document = JSON.parse(text)
    const refs = [...text.matchAll(/"\$ref":"#\/(\w+)\/(\w+)\/(\w+)"/g)]
    expect(refs.length).toBeGreaterThan(500)
    for (const [, ...path] of refs) expect(document).toHaveProperty(path)
  })
})

describe('pages', () => {
  test('the errors page has an anchor for every code', async () => {
    const text = await (await get('/errors')).text()
    for (const code of Object.keys(errorCatalogue)) expect(text).toContain(`id="${code}"`)
  })

  test('the reference has a page for each operation, with its fields and errors', async () => {
    const index = await (await get('/reference/')).text()
    for (const { a2a } of catalogue) expect(index).toContain(`/reference/${a2a.replace('.', '_')}"`)
    const page = await (await get('/reference/booking_confirm')).text()
    for (const text of ['POST', '/api/bookings', 'booking.confirm', 'confirm_booking'])
      expect(page).toContain(text)
    expect(page).toMatch(/<code>party_size<\/code> <span class="type">integer/)
    expect(page).toContain('href="/errors#slot_unavailable"')
    expect((await get('/reference/booking_nothing')).status).toBe(404)
  })

  test.each(['/', '/errors', '/reference/'])('%s is a page with its own policy', async (path) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

test('an unknown address and a wrong method are problems', async () => {
  const missing = await get('/api/nothing')
  expect(missing.headers.get('content-type')).toContain('application/problem+json')
  expect(await missing.json()).toMatchObject({ code: 'not_found', instance: '/api/nothing' })
  const wrong = await fetch(`${doors.url}/api/venues`, { method: 'DELETE' })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test.each([
  ['DELETE', '/api/bookings/0', 'POST /api/bookings/{id}/cancel'],
  ['PUT', '/api/bookings/0', 'PATCH /api/bookings/{id}'],
  ['PUT', '/api/bookings', 'POST /api/bookings'],
])('%s at %s is refused with the route that does it', async (method, path, nearest) => {
  const response = await fetch(`${doors.url}${path}`, { method })
  expect(response.status).toBe(405)
  const { nearest: named, detail } = await jsonOf(response)
  expect(named).toBe(nearest)
  expect(detail).toContain(`Use \`${nearest}\`.`)
})

test('search returns plain objects at REST and an envelope at A2A', async () => {
  const rest = await get('/api/venues/search?q=ubud&limit=2', bearer(free.key))
  const plain = await jsonOf(rest)
  const fields = ['demo', 'detail', 'interpretation', 'next_cursor', 'venues']
  expect(Object.keys(plain).sort()).toEqual(fields)
  const { body } = await postEnvelope(doors.url, free.key, {
    protocol: 'service/a2a/v1',
    from: 'agent://tester',
    intent: 'booking.search',
    payload: { query: 'ubud', limit: 2 },
  })
  expect(body).toMatchObject({
    protocol: 'service/a2a/v1',
    from: 'agent://service',
    intent: 'booking.search',
    meta: { protocol_version: 'v1', network_version: '0.1.0', fee_pct: 2.5, tier: 'free' },
  })
  expect(Object.keys(body.payload).sort()).toEqual(fields)
})

test('query values are parsed strictly', async () => {
  for (const limit of ['1e1', '0x5', '2.5', '3 4', 'true', '51&limit=2']) {
    const response = await get(`/api/venues?limit=${limit}`)
    expect([limit, response.status]).toEqual([limit, 400])
  }
})

test('the network is among the public agents', async () => {
  const { agents, next_cursor } = await jsonOf(await get('/api/agents/public'))
  expect(agents).toMatchObject([
    { id: 'agent://service', card_url: `${doors.publicUrl}/.well-known/agent-card.json` },
  ])
  expect(next_cursor).toBeNull()
})

test('the feed lists each venue once, with no time finer than the hour', async () => {
  const { rows } = await doors.db.query('select slug from venue order by slug')
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await jsonOf(
      await get(`/api/feed?limit=7${cursor && `&cursor=${cursor}`}`, bearer(free.key)),
    )
    for (const item of page.activity) {
      expect(Object.keys(item).sort()).toEqual(['area', 'hour', 'id', 'type', 'venue'])
      expect(item.hour).toMatch(/:00:00\.000Z$/)
      if (item.type === 'venue.added') seen.push(item.venue.slug)
    }
    cursor = page.next_cursor
  }
  expect(seen.sort()).toEqual(rows.map(({ slug }) => slug).sort())
})

test.each(['nonsense', ['2026-11-21T12:00:00Z', 'venue.added', 'a'], [0], [1.5], ['1'], [1, 2]])(
  'the feed refuses the cursor %j',
  async (forged) => {
    const cursor = Buffer.from(JSON.stringify(forged)).toString('base64url')
    const response = await get(`/api/feed?cursor=${cursor}`, bearer(free.key))
    expect([response.status, (await jsonOf(response)).code]).toEqual([400, 'invalid_cursor'])
  },
)

test.each([
  ['a b', 'venue_not_found'],
  ['x'.repeat(255), 'venue_not_found'],
  ['x'.repeat(256), 'not_found'],
])('there is no venue at %.8s: %s', async (slug, code) => {
  const response = await get(`/api/venues/${slug}`)
  expect([response.status, (await jsonOf(response)).code]).toEqual([404, code])
})
