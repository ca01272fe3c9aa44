import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeEvents } from '../support/deliveries.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { signChallenge } from '../support/receiver.ts'

type Got = { id: string; body: string; headers: Record<string, string> }

let network: Service
let receiver: Server
let endpoint: { id: string; url: string }
let secret: string
let answer = 200
const got: Got[] = []

/** Signs challenges, keeps everything else and answers as configured. */
const receive = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  const parsed = JSON.parse(body)
  const headers = request.headers as Record<string, string>
  if (parsed.type === 'endpoint.challenge') {
    return void response.end(signChallenge(secret, { headers, body: parsed }))
  }
  got.push({ id: headers['webhook-id'] ?? '', body, headers })
  response.writeHead(answer, { 'content-type': 'text/plain' }).end('noted')
})

beforeAll(async () => {
  receiver = receive.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  network = await openService()
  await writeEvents(network.db, network.agent.accountId, 120)
  const url = `http://127.0.0.1:${port}/hooks`
  const made = await network.agent.post('/api/webhooks', { url, event_types: ['*'] })
  endpoint = made.body.endpoint
  secret = made.body.secret
  const proved = await eventually('the proof', async () => {
    const { body } = await network.agent.post(`/api/webhooks/${endpoint.id}/verify`, {})
    return body.status === 'verified' && body
  })
  expect(proved.endpoint.status).toBe('active')
})
afterAll(async () => {
  receiver?.closeAllConnections()
  receiver?.close()
  await network?.close()
})

const replay = async (body: Record<string, unknown>) =>
  network.agent.post(`/api/webhooks/${endpoint.id}/replays`, body)

const settled = (id: string) =>
  eventually('the replay', async () => {
    const { body } = await network.agent.get(`/api/replays/${id}`)
    const { status, deliveries } = body.replay
    return status === 'completed' && deliveries.in_flight === 0 && body.replay
  })

test('older events are replayed once each without gaps; a second replay is identical', async () => {
  const { body } = await replay({ never_attempted: true, per_second: 1000 })
  expect(body.counts).toEqual({ would_send: 120, in_flight: 0, never_attempted: 120 })
  const done = await settled(body.replay.id)
  expect(done).toMatchObject({
    queued: 120,
    skipped: 0,
    deliveries: { delivered: 120 },
  })
  const first = new Map(got.map(({ id, body }) => [id, body]))
  expect([first.size, got.length]).toEqual([120, 120])
  for (const { body, headers } of got) new Webhook(secret).verify(body, headers)
  const sequences = got.map(({ body }) => JSON.parse(body).sequence).sort((a, b) => a - b)
  expect(sequences).toEqual(Array.from({ length: 120 }, (_, n) => n + 1))

  got.length = 0
  const again = await replay({ from_number: 1, until_number: 20, per_second: 1000 })
  await settled(again.body.replay.id)
  expect(got).toHaveLength(20)
  for (const { id, body } of got) expect(body).toBe(first.get(id))
})

test('an undelivered event is retried by hand, with its outcome and all attempts', async () => {
  answer = 500
  const [event] = await writeEvents(network.db, network.agent.accountId, 1, 'fee.accrued')
  // The event's delivery is under way, so there is nothing to resend.
  const { body } = await replay({ events: [event], per_second: 1 })
  expect(body.code).toBe('nothing_to_replay')
  const list = () => network.agent.get('/api/deliveries?type=fee.accrued')
  const delivery = (await list()).body.deliveries[0]
  // Refused while the delivery is being sent on schedule.
  const retried = (status: string) =>
    eventually(`a retry that has ${status}`, async () => {
      const { body } = await network.agent.post(`/api/deliveries/${delivery.id}/retry`, {})
      return body.status === status && body
    })
  const failed = await retried('failed')
  expect(failed).toMatchObject({
    // The next attempt may have begun on schedule.
    delivery: { status: expect.stringMatching(/^(pending|sending)$/) },
    attempt: { cause: 'retry', http_status: 500, response: { body: 'noted' } },
  })
  answer = 200
  expect(await retried('succeeded')).toMatchObject({ delivery: { status: 'delivered' } })
  const read = await network.agent.get(`/api/deliveries/${delivery.id}`)
  expect(read.body.attempts.length).toBeGreaterThanOrEqual(2)
  const sent = got.find(({ id }) => id === event)
  expect(read.body.attempts.at(-1).request.headers).toMatchObject({
    'user-agent': sent?.headers['user-agent'],
    'content-type': sent?.headers['content-type'],
    'webhook-id': event,
    'webhook-timestamp': sent?.headers['webhook-timestamp'],
    'webhook-signature': sent?.headers['webhook-signature'],
  })
  expect(read.body.body).toBe(sent?.body)
})

test('a cancelled replay enqueues nothing more', async () => {
  const { body } = await replay({ from_number: 1, per_second: 2 })
  await eventually('its first events', async () => {
    const { body: now } = await network.agent.get(`/api/replays/${body.replay.id}`)
    return now.replay.queued > 0
  })
  const cancelled = await network.agent.post(`/api/replays/${body.replay.id}/cancel`, {})
  const { status, queued } = cancelled.body.replay
  expect(status).toBe('cancelled')
  expect(queued).toBeLessThan(60)
  const done = await eventually('its enqueued events', async () => {
    const { body: now } = await network.agent.get(`/api/replays/${body.replay.id}`)
    return now.replay.deliveries.in_flight === 0 && now.replay
  })
  expect(done).toMatchObject({ status: 'cancelled', queued, deliveries: { delivered: queued } })
})
