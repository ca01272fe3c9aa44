import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentWith, findSlot } from '../support/agent.ts'
import { insertEndpointRow } from '../support/deliveries.ts'
import type { Browser } from '../support/developers.ts'
import { bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'
import { loggedRequest, openDeveloper, requestIdOf } from '../support/request-log.ts'

const PATH = '/dashboard/requests'

let doors: Doors
let developer: Browser
let key: string
beforeAll(async () => {
  doors = await openDoors()
  ;({ developer, key } = await openDeveloper(doors))
})
afterAll(() => doors?.close())

const post = async (path: string, body: object, more = {}) => {
  const headers = { ...bearer(key), 'content-type': 'application/json', ...more }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(doors.url + path, sent)
  const id = requestIdOf(response)
  await loggedRequest(doors, key, id)
  return { id, text: await response.text() }
}
const slot = { venue_id: randomUUID(), slot_time: '2026-12-24T19:00:00', party_size: 2 }
const pageOf = async (id: string) => (await developer.get(`${PATH}/${id}`)).html

test('a refused request says in words why, what to do, and how to send it again', async () => {
  const body = { ...slot, notes: "Budi's birthday", note_for: 'x' }
  const { id, text } = await post('/api/bookings', body, { 'idempotency-key': "it's mine" })
  const html = await pageOf(id)
  expect(html).toContain('<h1>POST /api/bookings → 400</h1>')
  expect(html).toContain('unknown field')
  expect(html).toContain('href="/errors#invalid_request"')
  expect(html).toContain('Correct the fields listed in <code>errors</code>')
  expect(html).toContain(JSON.parse(text).request_id)
  expect(html).toContain(`…${key.slice(-4)}`)
  expect(html).not.toContain(key)
  expect(html).not.toContain('birthday')
  const curl = /aria-label="curl"><code>(.*?)<\/code>/s.exec(html)?.[1] ?? ''
  const plain = curl.replaceAll(/<[^>]*>/g, '').replaceAll('&#x27;', "'")
  expect(plain).toContain(`curl -X POST 'http://127.0.0.1:3000/api/bookings'`)
  expect(plain).toContain('"Authorization: Bearer $API_KEY"')
  expect(plain).toContain(String.raw`'idempotency-key: it'\''s mine'`)
  expect(plain).toContain('"notes":"[redacted]"')
})

test('a booking and its requests link to each other, with events and deliveries', async () => {
  await insertEndpointRow(doors.db, developer.accountId, { status: 'active' })
  const free = await findSlot(agentWith(doors.url, developer.accountId, key), 'spa')
  const { id, text } = await post('/api/holds', free)
  const { booking } = JSON.parse(text)
  const html = await pageOf(id)
  expect(html).toContain(`href="/dashboard/bookings/${booking.id}"`)
  expect(html).toContain(`href="${PATH}?booking=${booking.id}"`)
  const about = await developer.get(`/dashboard/bookings/${booking.id}`)
  expect(about.html).toContain(`href="${PATH}/${id}"`)
  const list = await developer.get(`${PATH}?booking=${booking.id}`)
  expect(list.html).toContain(`href="${PATH}/${id}"`)
  expect(list.html).toContain('Show all')
})

test('calls of agents and models are named by intent and tool', async () => {
  const message = { intent: 'booking.confirm', payload: slot }
  expect(await pageOf((await post('/a2a/v1', message)).id)).toContain(
    '<h1>POST /a2a/v1 booking.confirm → 404</h1>',
  )
  const call = { name: 'get_booking', arguments: { id: randomUUID() } }
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  const accept = 'application/json, text/event-stream'
  const html = await pageOf((await post('/mcp', rpc, { accept })).id)
  expect(html).toContain('<h1>POST /mcp get_booking read → 404</h1>')
  expect(html).toContain('MCP answers 200 with isError')
})

test('an id leads to its request or to the requests of its booking', async () => {
  const { id } = await post('/api/bookings', slot)
  const find = (text: string) => developer.get(`${PATH}?find=${encodeURIComponent(text)}`)
  const found = await find(`"request_id": "${id.toUpperCase()}"`)
  expect([found.status, found.headers.get('location')]).toEqual([303, `${PATH}/${id}`])
  const other = randomUUID()
  const none = await find(other)
  expect(none.headers.get('location')).toBe(`${PATH}?booking=${other}`)
  expect((await developer.get(`${PATH}?booking=${other}`)).html).toContain('No requests match')
  const wrong = await find('my booking')
  expect([wrong.status, wrong.html.includes('Paste the whole id')]).toEqual([200, true])
})

test('the list shows status and code, and keeps its filters on the next page', async () => {
  for (let n = 0; n < 3; n += 1) await post('/api/bookings', { ...slot, party_size: n + 1 })
  await doors.db.query(
    `insert into request_log (account_id, at, request_id, door, operation, code, ms, calls, method,
       path, target, status)
     select $1, now() - n * interval '1 s', gen_random_uuid(), 'rest', 'ping', 'internal_error', 1,
       1, 'GET', '/api/ping', '/api/ping', 500 from generate_series(1, 60) n`,
    [developer.accountId],
  )
  const failed = await developer.get(`${PATH}?status=5xx`)
  expect(failed.html.match(/<span class="badge bad">500<\/span>/g)).toHaveLength(50)
  expect(failed.html).not.toContain('/api/bookings</code>')
  const next = /href="([^"]*)" rel="next"/.exec(failed.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(next).toContain('status=5xx')
  expect((await developer.get(next)).html.match(/badge bad">500</g)).toHaveLength(10)
  const refused = await developer.get(`${PATH}?status=4xx&door=rest&code=venue_not_found`)
  expect(refused.html).toContain('<code class="what">POST /api/bookings</code>')
})

test('a page says when bodies are not recorded, and how to record them', async () => {
  await developer.post(`${PATH}/recording`, { bodies: 'off', sure: 'yes' })
  const { id } = await post('/api/bookings', slot)
  expect(await pageOf(id)).toContain('Not recorded')
  expect((await developer.get(`${PATH}?done=off`)).html).toContain('Recording stopped')
  await developer.post(`${PATH}/recording`, { bodies: 'on' })
  const setting = await fetch(`${doors.url}/api/requests/recording`, { headers: bearer(key) })
  expect(await jsonOf(setting)).toMatchObject({ bodies: true })
})
