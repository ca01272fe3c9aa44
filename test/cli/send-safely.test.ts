import { expect, test } from 'vitest'
import { decide } from '../../packages/cli/network/decide.ts'
import { sendSafely } from '../../packages/cli/network/send-safely.ts'
import { type Answering, hangsUp, json, network, problem } from '../support/answering.ts'

const ask = { method: 'POST' as const, path: '/api/bookings', body: {}, idempotencyKey: 'once' }

test('a lost connection or a restarting network is retried visibly with the same key', async () => {
  const away = problem(503, 'service_unavailable', { retry_after: 1 })
  const { seen, network: place } = await network(hangsUp, away, json(201, { status: 'confirmed' }))
  const said: string[] = []
  const answer = await sendSafely(place, ask, (text) => said.push(text))
  expect(answer).toMatchObject({ status: 201, body: { status: 'confirmed' } })
  expect(seen.map(({ key }) => key)).toEqual(['once', 'once', 'once'])
  expect(said).toHaveLength(2)
  expect(said[0]).toMatch(/does not answer .* Retrying in 1 s with the same idempotency key/)
})

test('an internal error is retried with the same key, which is printed if that fails', async () => {
  const failed = problem(500, 'internal_error', { retry_after: 0 })
  const mended = await network(failed, json(200, { status: 'confirmed' }))
  expect((await sendSafely(mended.network, ask, () => {})).status).toBe(200)
  expect(mended.seen.map(({ key }) => key)).toEqual(['once', 'once'])
  const broken = await network(failed)
  await expect(sendSafely(broken.network, ask, () => {})).rejects.toMatchObject({
    problem: { code: 'internal_error' },
    hint: expect.stringContaining('--idempotency-key once'),
  })
  expect(broken.seen).toHaveLength(5)
})

test('an invalid retry_after is ignored', async () => {
  const strange = problem(503, 'service_unavailable', { retry_after: '0\u001b[31m' })
  const { network: place } = await network(strange, json(200, {}))
  const said: string[] = []
  await sendSafely(place, ask, (text) => said.push(text))
  expect(said).toEqual([expect.stringContaining(' Retrying in 1 s with ')])
})

test('a refusal is not retried', async () => {
  const { seen, network: place } = await network(problem(409, 'slot_unavailable'))
  const refused = sendSafely(place, ask, () => {})
  await expect(refused).rejects.toMatchObject({
    problem: { code: 'slot_unavailable' },
    hint: undefined,
  })
  expect(seen).toHaveLength(1)
})

test('retries of an unreachable network are limited, and the key is printed', async () => {
  const { network: place } = await network(
    problem(503, 'service_unavailable', { retry_after: 600 }),
  )
  const refused = sendSafely(place, ask, () => {})
  await expect(refused).rejects.toMatchObject({
    hint: expect.stringContaining('--idempotency-key once'),
  })
})

test('a pending request is polled with the same key until it is decided', async () => {
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

test.each([
  ['the last request of the day', problem(429, 'quota_exceeded')],
  ['a key revoked meanwhile', problem(401, 'unauthenticated')],
  ['a plan that has ended', problem(403, 'plan_required')],
  ['a failing network', problem(500, 'internal_error', { retry_after: 31 })],
])('an accepted request stays accepted after %s, and says so', async (_, refusal) => {
  const { network: place } = await network(json(202, { status: 'pending' }), refusal)
  const said: string[] = []
  const answer = await decide(place, ask, { seconds: 100, say: (text) => said.push(text) })
  expect(answer).toMatchObject({ status: 202, body: { status: 'pending' } })
  expect(said).toEqual(['Do this.\nThe request was accepted and is still being processed.'])
})

test('a refusal is reported, both of a pending request and of one never accepted', async () => {
  const decided = await network(json(202, { status: 'pending' }), problem(409, 'slot_unavailable'))
  const wish = { seconds: 100, say: () => {} }
  await expect(decide(decided.network, ask, wish)).rejects.toMatchObject({
    problem: { code: 'slot_unavailable' },
  })
  const never = await network(problem(429, 'quota_exceeded'))
  await expect(decide(never.network, ask, wish)).rejects.toMatchObject({
    problem: { code: 'quota_exceeded' },
  })
})

test('without waiting the request is sent once', async () => {
  const { seen, network: place } = await network(json(202, { status: 'pending' }))
  const answer = await decide(place, ask, { seconds: 0, say: () => {} })
  expect([answer.status, seen.length, seen[0]?.prefer]).toEqual([202, 1, 'wait=0'])
})

test('the key is not sent to a redirect target', async () => {
  const other = await network(json(200, {}))
  const first = await network((response) => response.writeHead(307, { location: other.url }).end())
  await expect(first.network.ask({ path: '/api/ping' })).rejects.toThrow(
    `redirects to ${other.url}/`,
  )
  expect(other.seen).toEqual([])
})

test.each<[string, Answering]>([
  [
    'a page',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello'),
  ],
  ['a proxy error', (response) => response.writeHead(502).end('bad gateway')],
  ['a JSON error of something else', json(404, { message: 'not found' })],
  ['a refusal without request_id', json(409, { code: 'x', title: 'x', detail: 'x', status: 409 })],
  ['a refusal with errors of another shape', problem(400, 'invalid_request', { errors: [null] })],
  [
    'a truncated response',
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'),
  ],
])('%s is not taken for an answer of a network', async (_, answering) => {
  const { network: place } = await network(answering)
  await expect(place.ask({ path: '/api/ping' })).rejects.toThrow(
    /not like a venue network|was cut off/,
  )
})
