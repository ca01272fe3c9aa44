import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { patience } from '../../src/doors/http/connections.ts'
import { assetPath } from '../../src/web/page/assets.ts'
import { nightly } from '../support/nightly.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'

/** The largest public document. */
const LARGE = '/openapi.json'

let doors: Doors
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await doors.close()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(doors.url + path, { headers })
const statusOf = async (path: string) => {
  const response = await get(path, { 'accept-encoding': 'identity' })
  await response.arrayBuffer()
  return response.status
}

/** A connection that sends but reads nothing. */
async function openUnread(bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(doors.url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}
const requestOf = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`
const connections = () =>
  new Promise<number>((resolve) => {
    doors.app.server.getConnections((_, count) => resolve(count))
  })

test.each([LARGE, '/llms-full.txt', assetPath('base.css')])(
  '%s is compressed once, cached, and not sent again to those who have it',
  async (path) => {
    doors = await openDoors()
    const plain = await get(path, { 'accept-encoding': 'identity' })
    const zipped = await get(path, { 'accept-encoding': 'br, gzip;q=0.5' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(await zipped.text()).toBe(await plain.text())
    expect(Number(zipped.headers.get('content-length'))).toBeGreaterThan(0)
    for (const { headers } of [plain, zipped]) {
      expect(headers.get('cache-control')).toMatch(/^public, max-age=/)
      expect(headers.get('vary')).toContain('accept-encoding')
    }
    const tags = [plain, zipped].map(({ headers }) => headers.get('etag') ?? '')
    expect(new Set(tags).size).toBe(2)
    const [tag = ''] = tags
    expect(tag).toMatch(/^"/)
    const known = { 'accept-encoding': 'identity', 'if-none-match': tag }
    expect((await get(path, known)).status).toBe(304)
    const refusesGzip = await get(path, { 'accept-encoding': 'gzip;q=0' })
    expect(refusesGzip.headers.get('content-encoding')).toBeNull()
  },
)

test.each([
  ...[LARGE, '/reference/', '/.well-known/agent-card.json', '/llms.txt'],
  ...[assetPath('base.css'), '/', '/docs', '/sign-up', '/dashboard', '/nowhere', '/sitemap.xml'],
])('%s is limited by address', async (path) => {
  doors = await openDoors({ REQUESTS_PER_SECOND: '1' })
  const codes = new Set<number>()
  await eventually('a refusal', async () => {
    codes.add((await fetch(doors.url + path, { redirect: 'manual' })).status)
    return codes.has(429)
  })
})

test('a body of a quarter megabyte costs more calls than one', async () => {
  doors = await openDoors({ REQUESTS_PER_SECOND: '2' })
  expect([await statusOf(LARGE), await statusOf(LARGE), await statusOf(LARGE)]).toEqual([
    200, 200, 429,
  ])
})

const hasNoSlot = async () => (await statusOf('/llms.txt')) === 429
const hasThreeSlots = async () =>
  (await Promise.all([LARGE, LARGE, LARGE].map(statusOf))).every((status) => status === 200)

nightly('an address’s unread responses are limited', async () => {
  doors = await openDoors({ REQUESTS_IN_FLIGHT: '3', REQUESTS_PER_SECOND: '1000' })
  await statusOf(LARGE)
  // The kernel buffers the first megabytes of a connection.
  const many = requestOf(LARGE).repeat(150)
  const unread = await Promise.all([many, many, many].map(openUnread))
  await eventually('a refusal', hasNoSlot)
  for (const socket of unread) socket.destroy()
  await eventually('three free slots', hasThreeSlots)
})

test('pipelined responses that never began are released too', async () => {
  doors = await openDoors({ REQUESTS_IN_FLIGHT: '3' })
  const lock = await doors.db.connect()
  try {
    await lock.query('begin; lock table venue in access exclusive mode')
    const socket = await openUnread(requestOf('/sitemap.xml').repeat(3))
    await eventually('a refusal', hasNoSlot)
    socket.destroy()
    await eventually('three free slots', hasThreeSlots)
  } finally {
    lock.release(true)
  }
})

test('clients that do not read are disconnected, but not those that wait', async () => {
  doors = await openDoors({}, undefined, undefined, undefined, {
    waits: { ...patience, unreadMs: 100 },
  })
  const lock = await doors.db.connect()
  try {
    await lock.query('begin; lock table venue in access exclusive mode')
    const waiting = statusOf('/sitemap.xml')
    await eventually('a connection', async () => (await connections()) === 1)
    const another = once(doors.app.server, 'connection')
    await openUnread(requestOf(LARGE).repeat(40))
    await another
    await eventually('its end', async () => (await connections()) === 1)
    await lock.query('rollback')
    expect(await waiting).toBe(200)
  } finally {
    lock.release(true)
  }
})

test('a silent connection and a body that comes too slowly are closed', async () => {
  doors = await openDoors({}, undefined, undefined, undefined, {
    waits: { ...patience, requestMs: 200, checkMs: 50 },
  })
  const { app } = doors
  expect(app.server.headersTimeout).toBeLessThanOrEqual(app.server.requestTimeout)
  const head = 'POST /a2a/v1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const begun = await openUnread(`${head}content-length: 100\r\n\r\n{`)
  const silent = await openUnread('')
  for (const answer of await Promise.all([text(begun), text(silent)])) {
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
  }
})
