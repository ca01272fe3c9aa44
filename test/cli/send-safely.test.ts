import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { decide } from '../../cli/network/decide.ts'
import { createNetwork } from '../../cli/network/network.ts'
import { sendSafely } from '../../cli/network/send-safely.ts'

type Answering = (response: ServerResponse, request: IncomingMessage) => void
type Seen = { key: unknown; prefer: unknown; authorization: unknown }

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A network that answers each request in its turn, the last one again and again. */
async function network(...answering: Answering[]) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const { 'idempotency-key': key, prefer, authorization } = request.headers
    const answer = answering[Math.min(seen.length, answering.length - 1)]
    seen.push({ key, prefer, authorization })
    request.resume().on('end', () => answer?.(response, request))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { seen, url, network: createNetwork(url, 'k') }
}

const json =
  (status: number, body: object, headers = {}): Answering =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
const hangsUp: Answering = (_, request) => void request.socket.destroy()
const problem = (status: number, code: string, more = {}) =>
  json(status, { code, title: code, detail: 'Do this.', status, request_id: 'r', ...more })

const ask = { method: 'POST' as const, path: '/api/bookings', body: {}, idempotencyKey: 'once' }

test('a lost connection and a network that restarts are asked again with the same key, and it is said', async () => {
  const away = problem(503, 'service_unavailable', { retry_after: 1 })
  const { seen, network: place } = await network(hangsUp, away, json(201, { status: 'confirmed' }))
  const said: string[] = []
  const answer = await sendSafely(place, ask, (text) => said.push(text))
  expect(answer).toMatchObject({ status: 201, body: { status: 'confirmed' } })
  expect(seen.map(({ key }) => key)).toEqual(['once', 'once', 'once'])
  expect(said).toHaveLength(2)
  expect(said[0]).toMatch(/does not answer .* Again in 1 s with the same idempotency key/)
})

test('what is refused is not sent again', async () => {
  const { seen, network: place } = await network(problem(409, 'slot_unavailable'))
  const refused = sendSafely(place, ask, () => {})
  await expect(refused).rejects.toMatchObject({
    problem: { code: 'slot_unavailable' },
    hint: undefined,
  })
  expect(seen).toHaveLength(1)
})

test('a network that is away for long is not waited for, and the key is told with which to learn the outcome', async () => {
  const { network: place } = await network(
    problem(503, 'service_unavailable', { retry_after: 600 }),
  )
  const refused = sendSafely(place, ask, () => {})
  await expect(refused).rejects.toMatchObject({
    hint: expect.stringContaining('--idempotency-key once'),
  })
})

test('what is pending is asked for again with the same key until it is decided', async () => {
  const pending = json(202, { status: 'pending' })
  const { seen, network: place } = await network(
    pending,
    pending,
    json(200, { status: 'confirmed' }),
  )
  const answer = await decide(place, ask, { seconds: 100, say: () => {} })
  expect(answer.body).toEqual({ status: 'confirmed' })
  expect(seen.map(({ key }) => key)).toEqual(['once', 'once', 'once'])
  expect(seen[0]?.prefer).toBe('wait=45')
})

test('who does not want to wait asks once', async () => {
  const { seen, network: place } = await network(json(202, { status: 'pending' }))
  const answer = await decide(place, ask, { seconds: 0, say: () => {} })
  expect([answer.status, seen.length, seen[0]?.prefer]).toEqual([202, 1, 'wait=0'])
})

test('the key follows no redirect', async () => {
  const other = await network(json(200, {}))
  const first = await network((response) => response.writeHead(307, { location: other.url }).end())
  await expect(first.network.ask({ path: '/api/ping' })).rejects.toThrow(`leads to ${other.url}/`)
  expect(other.seen).toEqual([])
})

test.each<[string, Answering]>([
  [
    'a page',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello'),
  ],
  ['an error of a proxy', (response) => response.writeHead(502).end('bad gateway')],
  ['an error in JSON of something else', json(404, { message: 'not found' })],
  [
    'half an answer',
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'),
  ],
])('%s is not taken for an answer of a network', async (_, answering) => {
  const { network: place } = await network(answering)
  await expect(place.ask({ path: '/api/ping' })).rejects.toThrow(
    /not as a venue network does|broke off/,
  )
})
