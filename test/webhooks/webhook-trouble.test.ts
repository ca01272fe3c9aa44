import { expect } from 'vitest'
import { certificates } from '../platform/certificates.ts'
import { answerText, type Behaviour, openRawServer, says } from '../platform/raw-server.ts'
import { attemptsOf, putEvent, putEvents } from '../support/endpoints.ts'
import type { Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { openReceiver } from '../support/receiver.ts'
import { openSender, type Sender } from '../support/sender.ts'
import { test } from '../support/service.ts'

let service: Service
let sender: Sender

test.beforeAll(({ service: shared }) => {
  service = shared
  sender = openSender(service)
})

const status = (line: string, ...fields: string[]) =>
  says(`HTTP/1.1 ${line}\r\n${[...fields, 'content-length: 0'].join('\r\n')}\r\n\r\n`)
const drip: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n')
  const timer = setInterval(() => socket.write('x'), 100)
  socket.once('close', () => clearInterval(timer))
}
const endless: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n')
  const more = () => {
    while (socket.writable && socket.write('x'.repeat(0x10000)));
  }
  socket.on('drain', more)
  more()
}

const rowOf = async ({ endpointId }: { endpointId: string }) => {
  const { rows } = await service.db.query('select * from endpoint where id = $1', [endpointId])
  return rows[0]
}
const firstAttempt = (endpoint: { endpointId: string }) =>
  eventually('the first attempt to be over', async () => {
    const [attempt] = await attemptsOf(service.db, endpoint)
    return attempt && attempt.status !== 'sending' && attempt
  })

test.each<[string, Behaviour, Record<string, unknown>]>([
  ['answers 500', status('500 No'), { http_status: 500, failure: 'server_error' }],
  ['answers 404', status('404 No'), { http_status: 404, failure: 'refused' }],
  ['closes the connection', (socket) => socket.destroy(), { http_status: null, failure: 'broken' }],
  ['answers byte by byte', drip, { http_status: null, failure: 'timeout' }],
])('an endpoint that %s is tried again after about 5 s', async (_, behave, expected) => {
  const server = await openRawServer(behave)
  const endpoint = await sender.make({ url: `http://127.0.0.1:${server.port}/` })
  await putEvent(service.db, endpoint.accountId)
  const attempt = await firstAttempt(endpoint)
  expect(attempt).toMatchObject({ status: 'failed', number: 1, cause: 'schedule', ...expected })
  expect(attempt.next_rule).toBe('Attempt 2 of 10 of the retry schedule.')
  const delay = attempt.next_at.getTime() - attempt.started_at.getTime() - attempt.ms
  expect(delay).toBeGreaterThan(3_900)
  // The time of the attempt was set a moment ago.
  expect(attempt.next_at.getTime() - Date.now()).toBeLessThan(6_500)
  expect(await rowOf(endpoint)).toMatchObject({ status: 'active', wait_until: null })
  expect((await rowOf(endpoint)).failing_since).toBeInstanceOf(Date)
})

test('an endpoint with an untrusted certificate gets nothing', async () => {
  const server = await openRawServer(says(answerText()), {
    key: certificates.key,
    cert: certificates.valid,
  })
  const endpoint = await sender.make({ url: `https://127.0.0.1:${server.port}/` })
  await putEvent(service.db, endpoint.accountId)
  expect(await firstAttempt(endpoint)).toMatchObject({ failure: 'tls', http_status: null })
  expect(server.requests).toEqual([])
})

test('a redirect is a failure and is not followed', async () => {
  const inside = await openRawServer(says(answerText('secret')))
  const to = `location: http://127.0.0.1:${inside.port}/`
  const server = await openRawServer(status('301 Moved', to))
  const endpoint = await sender.make({ url: `http://127.0.0.1:${server.port}/` })
  await putEvent(service.db, endpoint.accountId)
  expect(await firstAttempt(endpoint)).toMatchObject({ failure: 'redirect', http_status: 301 })
  expect(inside.connections).toBe(0)
})

test('16 kB of a 10 GB response body are kept, and 200 is a success', async () => {
  const server = await openRawServer(endless)
  const endpoint = await sender.make({ url: `http://127.0.0.1:${server.port}/` })
  await putEvent(service.db, endpoint.accountId)
  const attempt = await firstAttempt(endpoint)
  expect(attempt).toMatchObject({ status: 'succeeded', http_status: 200, response_truncated: true })
  expect(attempt.response_body).toBe('x'.repeat(16 * 1024))
  await expect.poll(server.open).toBe(0)
})

test('an endpoint that answers 410 is disabled, emits an event and holds deliveries', async () => {
  const server = await openRawServer(status('410 Gone'))
  const receiver = await openReceiver()
  const gone = await sender.make({ url: `http://127.0.0.1:${server.port}/` })
  const other = await sender.make({
    accountId: gone.accountId,
    url: receiver.url,
    eventTypes: ['endpoint.*'],
  })
  await putEvents(service.db, gone.accountId, 3)
  await sender.until(other, { delivered: 1 })
  expect(receiver.received[0]?.body).toMatchObject({
    type: 'endpoint.disabled',
    data: { endpoint_id: gone.endpointId, reason: 'gone' },
  })
  expect(await rowOf(gone)).toMatchObject({ status: 'disabled', status_reason: 'gone' })
  await sender.until(gone, { pending: 3 })
  await eventually('it to hold them', async () => {
    const { phase } = await sender.handle(gone).query<{ phase: string }>('progress')
    return phase === 'holding'
  })
  await receiver.close()
})

test('an event that is too large fails at once; others continue', async () => {
  const receiver = await openReceiver((response, { body }) => {
    response.writeHead(body.data.nth === 2 ? 413 : 200).end()
  })
  const endpoint = await sender.make({ url: receiver.url })
  await putEvents(service.db, endpoint.accountId, 3)
  await sender.until(endpoint, { delivered: 2, failed: 1 })
  expect(receiver.received).toHaveLength(3)
  await receiver.close()
})

test('Retry-After pauses the whole endpoint', async () => {
  const receiver = await openReceiver((response, _, nth) => {
    response.writeHead(nth === 1 ? 429 : 204, nth === 1 ? { 'retry-after': '8' } : {}).end()
  })
  const endpoint = await sender.make({ url: receiver.url })
  await putEvent(service.db, endpoint.accountId)
  const attempt = await firstAttempt(endpoint)
  expect(attempt.next_rule).toContain('Retry-After')
  expect(await rowOf(endpoint)).toMatchObject({ wait_reason: 'retry_after' })
  await putEvents(service.db, endpoint.accountId, 3)
  await sender.until(endpoint, { delivered: 4 })
  const [first, ...rest] = receiver.received
  for (const { at } of rest) expect(at - (first?.at ?? 0)).toBeGreaterThanOrEqual(7_500)
  await receiver.close()
})

test('a dead endpoint is tried with its oldest event only and does not delay others', async () => {
  const server = await openRawServer((socket) => socket.destroy())
  const receiver = await openReceiver()
  const dead = await sender.make({ url: `http://127.0.0.1:${server.port}/` })
  const alive = await sender.make({ accountId: dead.accountId, url: receiver.url })
  await putEvents(service.db, dead.accountId, 60)
  await sender.until(alive, { delivered: 60 })
  const { breaker, phase } = await eventually('the breaker to be open', async () => {
    const { wait_reason: breaker } = await rowOf(dead)
    const { phase } = await sender.handle(dead).query<{ phase: string }>('progress')
    return breaker === 'breaker' && phase === 'waiting' && { breaker, phase }
  })
  expect([breaker, phase]).toEqual(['breaker', 'waiting'])
  const before = await attemptsOf(service.db, dead)
  expect(before.filter(({ cause }) => cause !== 'probe').length).toBeLessThan(12)
  const probe = await eventually('a probe', async () => {
    const attempts = await attemptsOf(service.db, dead)
    return attempts.find(({ cause }) => cause === 'probe')
  })
  expect(probe.started_at.getTime() - before[4]?.started_at.getTime()).toBeGreaterThan(3_900)
  const { rows } = await service.db.query(
    `select count(*)::int from delivery
     where endpoint_id = $1 and tries = 0 and status = 'pending'`,
    [dead.endpointId],
  )
  expect(rows[0].count).toBeGreaterThan(45)
  await receiver.close()
})
