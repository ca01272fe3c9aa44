import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { answerText, openClient, openRawServer, says } from './raw-server.ts'

const urlOf = ({ port }: { port: number }, path = '/') => `http://127.0.0.1:${port}${path}`

test('a request is sent as given, and the whole response is returned', async () => {
  const server = await openRawServer(
    says(answerText('{"a":1}', 'x-one: 1', 'X-Two: a', 'x-two: b')),
  )
  const { send } = openClient()
  const headers = { 'webhook-id': 'msg_1', 'content-type': 'application/json' }
  const answer = await send({ url: urlOf(server, '/hooks?x=1#y'), headers, body: '{"é":1}' })
  expect(answer).toMatchObject({ status: 200, truncated: false })
  expect(answer.headers).toMatchObject({ 'x-one': '1', 'x-two': 'a, b' })
  expect(answer.body.toString()).toBe('{"a":1}')
  const [request = ''] = server.requests
  expect(request).toMatch(/^POST \/hooks\?x=1 HTTP\/1.1\r\n/)
  expect(request).toContain(`host: 127.0.0.1:${server.port}\r\n`)
  expect(request).toContain('webhook-id: msg_1\r\n')
  expect(request).toContain('accept-encoding: identity\r\n')
  expect(request).toContain('content-length: 8\r\n')
})

test.each([301, 302, 303, 307, 308])(
  'a redirect with %i is a response and is not followed',
  async (status) => {
    const inside = await openRawServer(says(answerText('secret')))
    const server = await openRawServer(
      says(`HTTP/1.1 ${status} Moved\r\nlocation: ${urlOf(inside)}\r\ncontent-length: 0\r\n\r\n`),
    )
    const answer = await openClient().send({ url: urlOf(server) })
    expect(answer).toMatchObject({ status, headers: { location: urlOf(inside) } })
    expect(inside.connections).toBe(0)
  },
)

test('only the beginning of a long body is kept, and the rest is not read', async () => {
  const server = await openRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const more = () => {
      while (socket.writable && socket.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`));
    }
    socket.on('drain', more)
    more()
  })
  const answer = await openClient().send({ url: urlOf(server), maxBodyBytes: 1000 })
  expect(answer).toMatchObject({ status: 200, truncated: true })
  expect(answer.body.toString()).toBe('x'.repeat(1000))
  await expect.poll(server.open).toBe(0)
})

test('a body of exactly the maximum size is not truncated', async () => {
  const server = await openRawServer(says(answerText('x'.repeat(1000))))
  const answer = await openClient().send({ url: urlOf(server), maxBodyBytes: 1000 })
  expect(answer).toMatchObject({ truncated: false, body: { length: 1000 } })
})

test('a gzip bomb is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const server = await openRawServer((socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`,
    )
    socket.write(bomb)
  })
  const answer = await openClient().send({ url: urlOf(server) })
  expect(answer.body.equals(bomb)).toBe(true)
})

test.each([
  ['never reads the request', () => {}, 'timeout'],
  ['sends its headers byte by byte', dribble('HTTP/1.1 200 OK\r\nx: y'), 'timeout'],
  [
    'sends its body byte by byte',
    dribble('HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n'),
    'timeout',
  ],
  ['says forever that it is processing', repeat('HTTP/1.1 102 Processing\r\n\r\n'), 'timeout'],
  ['sends a header of 100 kB', says(answerText('ok', `x: ${'y'.repeat(100_000)}`)), 'bad_answer'],
  ['sends 10,000 headers', says(answerText('ok', ...Array(10_000).fill('x: y'))), 'bad_answer'],
  ['speaks another protocol', says('SSH-2.0-OpenSSH_9.9\r\n'), 'bad_answer'],
  ['sends garbage', says('\0\x01\x02\xff\xfe'), 'bad_answer'],
  ['sends a status of four digits', says('HTTP/1.1 2000 OK\r\n\r\n'), 'bad_answer'],
  ['gives two lengths', says(answerText('ok', 'content-length: 5')), 'bad_answer'],
  ['gives a length and chunks', says(answerText('ok', 'transfer-encoding: chunked')), 'bad_answer'],
  ['gives a negative length', says('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'), 'bad_answer'],
  ['folds a header', says(answerText('ok', 'x: y\r\n z: w\r\n\0: 1')), 'bad_answer'],
  ['ends within its headers', ends('HTTP/1.1 200 OK\r\nx: '), 'broken'],
  ['ends within its body', ends('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'), 'broken'],
  ['closes without a response', ends(''), 'broken'],
  ['resets the connection', (socket) => socket.resetAndDestroy(), 'broken'],
  [
    'switches protocols unasked',
    says('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'),
    'broken',
  ],
] satisfies [string, Behave, string][])(
  'a server that %s fails by the deadline, and its socket is closed',
  async (_, behave, kind) => {
    const server = await openRawServer(behave)
    const deadlineMs = kind === 'timeout' ? 1_000 : 60_000
    const failure = await openClient().failure({ url: urlOf(server), deadlineMs })
    expect(failure).toMatchObject({ name: 'OutboundError', kind, sent: true })
    expect(failure.ms).toBeLessThan(30_000)
    await expect.poll(server.open).toBe(0)
  },
)

test('bytes after the end of a response are never taken for the next one', async () => {
  const server = await openRawServer(says(answerText('first') + answerText('smuggled')))
  const { send } = openClient()
  for (const _ of [1, 2, 3]) {
    const outcome = await send({ url: urlOf(server) }).then(String, () => 'failed')
    expect(outcome).not.toContain('smuggled')
  }
})

test('a response header cannot pollute the object prototype', async () => {
  const server = await openRawServer(
    says(answerText('ok', '__proto__: polluted', 'constructor: x')),
  )
  const { headers } = await openClient().send({ url: urlOf(server) })
  expect(Object.getPrototypeOf(headers)).toBe(Object.prototype)
  expect(headers.constructor).toBe('x')
})

test('an invalid request is our own mistake, and nothing is sent', async () => {
  const server = await openRawServer(says(answerText()))
  const { send } = openClient()
  const smuggling = send({ url: urlOf(server), headers: { 'x-id': 'a\r\nhost: other' } })
  await expect(smuggling).rejects.toThrow('invalid x-id header')
  expect(server.requests).toEqual([])
})

type Behave = Parameters<typeof openRawServer>[0]

function dribble(text: string): Behave {
  return (socket) => {
    socket.write(text)
    const timer = setInterval(() => socket.write('x'), 20)
    socket.once('close', () => clearInterval(timer))
  }
}

function repeat(text: string): Behave {
  return (socket) => {
    const timer = setInterval(() => socket.write(text), 20)
    socket.once('close', () => clearInterval(timer))
  }
}

function ends(text: string): Behave {
  return (socket) => {
    socket.end(text)
  }
}
