import { afterEach, expect, test, vi } from 'vitest'
import { choosePort } from '../../src/local/ports.ts'
import { certificates } from './certificates.ts'
import { answerText, openClient, openRawServer, says } from './raw-server.ts'

const { key, valid, expired } = certificates
const at = (address: string) => async () => [address]

afterEach(() => {
  vi.unstubAllEnvs()
})

test('one connection serves one request after another', async () => {
  const server = await openRawServer(says(answerText()))
  const { send } = openClient()
  for (let n = 0; n < 20; n += 1) await send({ url: `http://localhost:${server.port}/` })
  expect(server.requests).toHaveLength(20)
  expect(server.connections).toBe(1)
})

test('a name is resolved once per attempt, and the checked address is dialled', async () => {
  const server = await openRawServer(says(answerText()))
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  const { send, failure } = openClient(
    { ports: [server.port] },
    { resolve: async () => answers.shift() ?? [] },
  )
  const url = `http://venue.example:${server.port}/`
  expect(await send({ url })).toMatchObject({ status: 200 })
  expect(answers).toHaveLength(1)
  expect(server.requests[0]).toContain(`host: venue.example:${server.port}\r\n`)
  // The kept connection's address was allowed a moment ago; what the name resolves to now is not.
  expect(await failure({ url })).toMatchObject({ kind: 'refused_address', sent: false })
  expect(server.requests).toHaveLength(1)
})

test('a kept connection is not reused once its name has another address', async () => {
  const server = await openRawServer(says(answerText()))
  let address = '127.0.0.1'
  const { send, failure } = openClient({ ports: [server.port] }, { resolve: async () => [address] })
  const url = `http://venue.example:${server.port}/`
  await send({ url })
  address = '127.0.0.99'
  expect(await failure({ url })).toMatchObject({ kind: 'connect', sent: false })
  address = '127.0.0.1'
  await send({ url })
  expect(server.requests).toHaveLength(2)
  expect(server.connections).toBe(1)
})

test('two names at one address do not share a connection', async () => {
  const server = await openRawServer(says(answerText()))
  const { send } = openClient({ ports: [server.port] }, { resolve: at('127.0.0.1') })
  await send({ url: `http://one.example:${server.port}/` })
  await send({ url: `http://two.example:${server.port}/` })
  expect(server.connections).toBe(2)
})

test('when the first of several addresses does not answer, the next one is tried', async () => {
  const server = await openRawServer(says(answerText()))
  const resolve = async () => ['127.0.0.98', '127.0.0.99', '127.0.0.1']
  const { send } = openClient({ ports: [server.port] }, { resolve })
  expect(await send({ url: `http://venue.example:${server.port}/` })).toMatchObject({ status: 200 })
})

test('a server that silently closes after each response fails no request', async () => {
  const server = await openRawServer((socket) => socket.end(answerText()))
  const { send } = openClient()
  for (let n = 0; n < 100; n += 1) await send({ url: `http://localhost:${server.port}/` })
  expect(server.connections).toBe(100)
})

test('sockets never exceed the limit, idle ones included', async () => {
  let most = 0
  const sides = await Promise.all(
    Array.from({ length: 6 }, () =>
      openRawServer((socket) => {
        most = Math.max(most, openSockets())
        socket.write(answerText())
      }),
    ),
  )
  const openSockets = () => sides.reduce((sum, side) => sum + side.open(), 0)
  const { send } = openClient({ maxSockets: 3 })
  const urls = sides.flatMap(({ port }) => Array(10).fill(`http://localhost:${port}/`))
  const answers = await Promise.all(urls.map((url) => send({ url })))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  // The server notices a closed socket slightly later than the client.
  expect(most).toBeLessThanOrEqual(6)
  await expect.poll(openSockets).toBeLessThanOrEqual(3)
})

test('a request without a free socket fails as ours and was not sent', async () => {
  const server = await openRawServer(() => {})
  const { failure } = openClient({ maxSockets: 1 })
  const url = `http://localhost:${server.port}/`
  const calledOff = new AbortController()
  const first = failure({ url, deadlineMs: 60_000, signal: calledOff.signal })
  await expect.poll(() => server.requests.length).toBe(1)
  expect(await failure({ url, deadlineMs: 100 })).toMatchObject({ kind: 'busy', sent: false })
  calledOff.abort()
  expect(await first).toMatchObject({ kind: 'aborted', sent: true })
  expect(server.requests).toHaveLength(1)
})

test('an aborted request closes its socket and says whether it had been sent', async () => {
  const server = await openRawServer(() => {})
  const { failure } = openClient({ ports: [server.port] }, { resolve: () => new Promise(() => {}) })
  for (const host of ['localhost', 'unresolved.example']) {
    const calledOff = new AbortController()
    const sending = failure({ url: `http://${host}:${server.port}/`, signal: calledOff.signal })
    if (host === 'localhost') await expect.poll(() => server.requests.length).toBe(1)
    calledOff.abort()
    expect(await sending).toMatchObject({ kind: 'aborted', sent: host === 'localhost' })
    await expect.poll(server.open).toBe(0)
  }
  const signal = AbortSignal.abort()
  const late = await failure({ url: `http://localhost:${server.port}/`, signal })
  expect(late).toMatchObject({ kind: 'aborted', sent: false })
})

test('closing aborts requests, closes every socket and accepts no more requests', async () => {
  const server = await openRawServer((socket, text) => {
    if (text.includes('/quick')) socket.write(answerText())
  })
  const { outbound, send, failure } = openClient()
  const url = `http://localhost:${server.port}/`
  const waiting = failure({ url })
  await send({ url: `${url}quick` })
  await expect.poll(() => server.requests.length).toBe(2)
  await outbound.close()
  expect(await waiting).toMatchObject({ kind: 'aborted', sent: true })
  expect(await failure({ url })).toMatchObject({ kind: 'aborted', sent: false })
  await expect.poll(server.open).toBe(0)
})

test('a slow lookup ends at the deadline', async () => {
  const { failure } = openClient({}, { resolve: () => new Promise(() => {}) })
  const late = await failure({ url: 'https://venue.example/', deadlineMs: 50 })
  expect(late).toMatchObject({ kind: 'timeout', sent: false })
})

test('a refused connection is distinguished from a request that was sent', async () => {
  const failure = await openClient().failure({ url: `http://localhost:${await choosePort()}/` })
  expect(failure).toMatchObject({ kind: 'connect', sent: false })
  expect(failure.message).toBe('The connection could not be established (ECONNREFUSED).')
})

test('proxy settings of the environment are ignored', async () => {
  const proxy = await openRawServer(says(answerText('proxied')))
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy']) {
    vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`)
  }
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  vi.stubEnv('NO_PROXY', '')
  const server = await openRawServer(says(answerText('direct')))
  const { body } = await openClient().send({ url: `http://localhost:${server.port}/` })
  expect(body.toString()).toBe('direct')
  expect(proxy.connections).toBe(0)
})

test('https verifies the certificate of the host, by name and by address', async () => {
  const server = await openRawServer(says(answerText('safe')), { key, cert: valid })
  const { send } = openClient({ ports: [server.port] }, { resolve: at('127.0.0.1'), ca: valid })
  for (const host of ['venue.example', '127.0.0.1']) {
    const { body } = await send({ url: `https://${host}:${server.port}/` })
    expect(body.toString()).toBe('safe')
  }
  await send({ url: `https://venue.example:${server.port}/` })
  expect(server.connections).toBe(2)
})

test.each([
  ['of an unknown authority', valid, undefined, 'venue.example', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['for another name', valid, valid, 'other.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['that has expired', expired, expired, 'venue.example', 'CERT_HAS_EXPIRED'],
])(
  'a certificate %s is refused, whatever the environment says',
  async (_, cert, ca, host, code) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const server = await openRawServer(says(answerText()), { key, cert })
    const parts = { resolve: at('127.0.0.1'), ...(ca === undefined ? {} : { ca }) }
    const { failure } = openClient({ ports: [server.port] }, parts)
    const refused = await failure({ url: `https://${host}:${server.port}/` })
    expect(refused).toMatchObject({ kind: 'tls', sent: false })
    expect(refused.message).toBe(`The TLS handshake failed (${code}).`)
    expect(server.requests).toEqual([])
  },
)

test('a server that never completes the handshake times out, nothing sent', async () => {
  const server = await openRawServer(() => {})
  const url = `https://localhost:${server.port}/`
  const late = await openClient().failure({ url, deadlineMs: 200 })
  expect(late).toMatchObject({ kind: 'timeout', sent: false })
  await expect.poll(server.open).toBe(0)
})
