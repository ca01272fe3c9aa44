import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, agentWith, findSlot } from '../support/agent.ts'
import type { Browser } from '../support/developers.ts'
import { openMcpClient } from '../support/mcp-tool.ts'
import { bearer, type Doors, jsonOf, openDoors, postEnvelope } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'
import { loggedRequest, openDeveloper, readRequest, requestIdOf } from '../support/request-log.ts'

let doors: Doors
let developer: Browser
let key: string
let agent: Agent
beforeAll(async () => {
  doors = await openDoors()
  ;({ developer, key } = await openDeveloper(doors))
  agent = agentWith(doors.url, developer.accountId, key)
})
afterAll(() => doors?.close())

const guest = { name: 'Budi Santoso', phone: '+62 811 5550 142', email: 'budi@guest.example' }
const private_ = { guest, notes: 'Allergic to peanuts', guest_ref: 'crm-contact-0815' }
const slotOfNobody = () => ({
  venue_id: randomUUID(),
  slot_time: '2026-12-24T19:00:00',
  party_size: 2,
})

const send = (path: string, body: object, headers = {}) =>
  fetch(doors.url + path, {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const logged = (id: string) => loggedRequest(doors, key, id)

describe('one request', () => {
  test('says what was sent, why it was refused, what to do and who called', async () => {
    const body = { ...slotOfNobody(), ...private_ }
    const response = await send('/api/bookings', body, { 'idempotency-key': 'order-4711' })
    const answer = await jsonOf(response)
    expect(answer.request_id).toBe(requestIdOf(response))
    const found = await logged(answer.request_id)
    expect(found.request).toMatchObject({
      ...{ door: 'rest', method: 'POST', path: '/api/bookings', target: '/api/bookings' },
      ...{ status: 404, code: 'venue_not_found', calls: 1 },
    })
    expect(`${found.error.message} ${found.error.advice}`).toBe(answer.detail)
    expect(found.key).toMatchObject({ ends_in: key.slice(-4) })
    const { venue_id, slot_time } = body
    expect(found.sent).toMatchObject({
      headers: { 'idempotency-key': 'order-4711' },
      body: { venue_id, slot_time, party_size: 2 },
      bytes: Buffer.byteLength(JSON.stringify(body)),
      is_cut: false,
    })
    expect(found.answer.body).toEqual(answer)
  })

  test('is found at A2A by its intent, and at MCP by its tool', async () => {
    const asked = slotOfNobody()
    const message = { intent: 'booking.confirm', payload: asked, from: 'agent://concierge' }
    const { body } = await postEnvelope(doors.url, key, message)
    const atA2a = await logged(body.meta.request_id)
    expect(atA2a.request).toMatchObject({
      ...{ door: 'a2a', method: 'POST', path: '/a2a/v1', target: 'booking.confirm' },
      ...{ status: 404, from: 'agent://concierge' },
    })
    expect(atA2a.sent.body).toEqual(message)
    expect(atA2a.answer.body.code).toBe('venue_not_found')

    const client = await openMcpClient(doors.url, key)
    const result = await client.callTool({ name: 'get_booking', arguments: { id: randomUUID() } })
    await client.close()
    const content = result.content as { text: string }[]
    const { request_id } = JSON.parse(content[0]?.text ?? '').error
    const atMcp = await logged(request_id)
    expect(atMcp.request).toMatchObject({ door: 'mcp', target: 'get_booking read', status: 404 })
    expect(atMcp.sent.body).toMatchObject({ method: 'tools/call', params: { name: 'get_booking' } })
    expect(atMcp.sent.body.params.arguments.id).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('shows the query of a read, and names a field that does not exist', async () => {
    const path = '/api/venues/search?q=sushi&guest_email=budi@guest.example'
    const found = await logged(requestIdOf(await fetch(doors.url + path, { headers: bearer(key) })))
    expect(found.sent.query).toEqual({ q: 'sushi', guest_email: '[redacted]' })
    expect(found.request.path).toBe('/api/venues/search')
    expect(found.error.message).toContain('guest_email')
  })

  test('says where a body ceases to be JSON, without quoting it', async () => {
    const response = await fetch(`${doors.url}/api/bookings`, {
      method: 'POST',
      headers: { ...bearer(key), 'content-type': 'application/json' },
      body: '{"guest": "Budi",, }',
    })
    const found = await logged(requestIdOf(response))
    expect(found.sent.body).toBe('[not JSON from character 17 on]')
    expect(found.request.code).toBe('malformed_json')
  })

  test('is short even if the answer is long', async () => {
    const path = `${doors.url}/api/venues?limit=20`
    const response = await fetch(path, { headers: bearer(key) })
    const text = await response.text()
    const { answer } = await logged(requestIdOf(response))
    expect(answer).toMatchObject({ bytes: Buffer.byteLength(text), is_cut: true })
    expect(JSON.stringify(answer.body).length).toBeLessThan(12_000)
  })

  test('belongs to nobody if its key is invalid, but to its account if over a limit', async () => {
    const wrong = `service_live_${'x'.repeat(43)}`
    const unknown = await fetch(`${doors.url}/api/ping`, { headers: bearer(wrong) })
    const spent = await doors.openAccount('free', 1)
    const headers = bearer(spent.key)
    await fetch(`${doors.url}/api/ping`, { headers })
    const refused = await fetch(`${doors.url}/api/ping`, { headers })
    const id = requestIdOf(refused)
    const row = await eventually('the refusal', async () => {
      const sql = 'select code, status from request_log where request_id = any($1)'
      const { rows } = await doors.db.query(sql, [[id, requestIdOf(unknown)]])
      return rows.length > 0 ? rows : undefined
    })
    expect(row).toEqual([{ code: 'quota_exceeded', status: 429 }])
  })

  test.each(['7', '4'])(
    'of another account or of nobody is not found (UUIDv%s)',
    async (version) => {
      const mine = requestIdOf(await fetch(`${doors.url}/api/ping`, { headers: bearer(key) }))
      await logged(mine)
      const other = await openDeveloper(doors)
      const unknown = `ffffffff-ffff-${version}fff-8fff-ffffffffffff`
      for (const id of [mine, unknown]) {
        expect(await readRequest(doors, other.key, id)).toMatchObject({
          status: 404,
          code: 'request_not_found',
        })
        const intent = { intent: 'request.get', payload: { id } }
        const { body } = await postEnvelope(doors.url, other.key, intent)
        expect(body.error.code).toBe('request_not_found')
        const page = await other.developer.get(`/dashboard/requests/${id}`)
        expect(page.status).toBe(404)
        expect(page.html).not.toContain('/api/ping')
      }
    },
  )
})

describe('no guest data and no secret', () => {
  test('is in the recorded bodies, at any door, even if the request was refused', async () => {
    const { key, developer } = await openDeveloper(doors)
    const headers = { ...bearer(key), 'content-type': 'application/json' }
    const post = async (path: string, body: object) =>
      fetch(doors.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const slot = await findSlot(agent, 'spa')
    await post('/api/bookings', { ...slot, ...private_ })
    await post('/api/bookings', { ...slot, ...private_, party_size: 900 })
    await post('/api/bookings', { ...slot, customer: guest.name, who: guest })
    await post('/api/itineraries', { parts: [{ ...slot, ...private_ }, slot], ...private_ })
    await postEnvelope(doors.url, key, {
      ...{ intent: 'booking.confirm', payload: { ...slot, ...private_ } },
      ...{ contact: guest.phone },
    })
    await post('/mcp', {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'confirm_booking', arguments: { ...slot, ...private_ }, _meta: guest },
    })
    const made = await jsonOf(await post('/api/keys', { name: 'till' }))
    const url = 'https://user:hunter2@hooks.example/in?token=hunter3'
    const created = { url, headers: { 'x-token': 'hunter4' } }
    const endpoint = await jsonOf(await post('/api/webhooks', created))
    const bodies = () =>
      doors.db.query(
        `select l.operation, l.message, b.* from request_log l join request_body b
           using (account_id, at, request_id) where account_id = $1`,
        [developer.accountId],
      )
    const { rows } = await eventually('the bodies', async () => {
      const found = await bodies()
      return found.rows.length === 8 ? found : undefined
    })
    const secrets = [made.raw_key, key, endpoint.secret, 'hunter2', 'hunter3', 'hunter4']
    const details = [...Object.values(guest), private_.notes, private_.guest_ref]
    const text = JSON.stringify(rows)
    for (const one of [...secrets, ...details].filter(Boolean)) expect(text).not.toContain(one)
    expect(made.raw_key).toMatch(/^service_live_/)
    expect(text).toContain(slot.venue_id)
  })
})
