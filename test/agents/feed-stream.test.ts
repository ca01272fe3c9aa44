import { EventSource } from 'eventsource'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { revokeKeyTree } from '../../src/accounts/store/keys.ts'
import { HOUR_MS } from '../../src/base/durations.ts'
import { nightly } from '../support/nightly.ts'
import { bearer, type Doors, type Holder, jsonOf, openDoors } from '../support/open-doors.ts'
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

let doors: Doors
let holder: Holder
let venues: { id: string; slug: string }[]

async function openService(...settings: Parameters<typeof openDoors>) {
  doors = await openDoors(...settings)
  holder = await doors.openAccount('free')
  venues = (await doors.db.query('select id, slug from venue order by slug limit 10')).rows
}

async function closeService() {
  const closed = doors?.close()
  // A client that aborted a stream may have opened another connection without using it.
  doors?.app.server.closeAllConnections()
  await closed
}

// A service for all tests except those that stop it or need other settings.
beforeAll(() => openService({ FEED_MAX_STREAMS: '20' }))
beforeEach(async () => {
  holder = await doors.openAccount('free')
})
afterAll(closeService)

/** How many hours ago the last item happened: before the template's venues, one item per hour. */
let hours = 100

/** Adds another item to publish; returns the slug of its venue. */
async function happen(): Promise<string> {
  hours += 1
  const venue = venues[hours % venues.length] as { id: string; slug: string }
  const hour = new Date(Math.floor(Date.now() / HOUR_MS - hours) * HOUR_MS)
  await doors.db.query('insert into unpublished_venue (venue_id, hour) values ($1, $2)', [
    venue.id,
    hour,
  ])
  return venue.slug
}

const readAll = async (): Promise<{ id: string; venue: { slug: string } }[]> =>
  (await jsonOf(await fetch(`${doors.url}/api/feed?limit=100`, { headers: bearer(holder.key) })))
    .activity

/** An EventSource as agents use it: its `fetch` sends the key. */
function follow(lastEventId?: string) {
  const received: any[] = []
  const opens: number[] = []
  const source = new EventSource(`${doors.url}/api/feed`, {
    fetch: (url, init) => {
      const first = lastEventId && opens.length === 0 ? { 'last-event-id': lastEventId } : {}
      return fetch(url, {
        ...init,
        headers: { ...first, ...init.headers, ...bearer(holder.key) },
      })
    },
  })
  source.addEventListener('open', () => opens.push(Date.now()))
  source.addEventListener('venue.added', ({ data, lastEventId: id }) =>
    received.push({ ...JSON.parse(data), lastEventId: id }),
  )
  const opened = () => vi.waitFor(() => expect(opens.length).toBeGreaterThan(0), 15_000)
  return { source, received, opens, opened }
}

/** A stream as raw bytes. */
async function openRaw(headers: Record<string, string> = {}, key = holder.key) {
  const abort = new AbortController()
  const response = await fetch(`${doors.url}/api/feed`, {
    headers: { accept: 'text/event-stream', ...bearer(key), ...headers },
    signal: abort.signal,
  })
  return { response, close: () => abort.abort() }
}

test('a stream sends what is published after its start: venue, area and hour only', async () => {
  const stream = follow()
  await stream.opened()
  const slug = await happen()
  await vi.waitFor(() => expect(stream.received).toHaveLength(1), 15_000)
  stream.source.close()
  const [told] = stream.received
  expect(Object.keys(told).sort()).toEqual(['area', 'hour', 'id', 'lastEventId', 'type', 'venue'])
  expect(told).toMatchObject({ type: 'venue.added', venue: { slug }, lastEventId: told.id })
  expect(told.hour).toMatch(/:00:00\.000Z$/)
  expect((await readAll())[0]?.id).toBe(told.id)
})

nightly('a client that reconnects repeatedly misses and repeats nothing', async () => {
  const stream = follow()
  await stream.opened()
  const told: string[] = []
  for (let cut = 1; cut <= 3; cut += 1) {
    told.push(await happen(), await happen())
    doors.app.server.closeAllConnections()
    told.push(await happen())
    await vi.waitFor(() => expect(stream.opens.length).toBeGreaterThan(cut), 30_000)
  }
  await vi.waitFor(() => expect(stream.received).toHaveLength(told.length), 30_000)
  stream.source.close()
  const ids = stream.received.map(({ id }) => Number(id))
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  expect(stream.received.map(({ venue }) => venue.slug).sort()).toEqual(told.sort())
})

test('a stream continues after the page that was read', async () => {
  await happen()
  const before = await readAll()
  const after = before[20]?.id ?? ''
  const stream = follow(after)
  await vi.waitFor(() => expect(stream.received).toHaveLength(20), 15_000)
  stream.source.close()
  const expected = before.slice(0, 20).map(({ id }) => id)
  expect(stream.received.map(({ id }) => id)).toEqual(expected.reverse())
})

test('a client that does not ask for a stream gets a page', async () => {
  for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream']) {
    const { response } = await openRaw({ accept })
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.headers.get('vary')).toBe('accept')
    await response.body?.cancel()
  }
})

test('a stream costs one request, and an invalid key or id is refused', async () => {
  const { response, close } = await openRaw()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(response.headers.get('ratelimit')).toMatch(/"day";r=99;/)
  close()
  const unknown = await openRaw({ 'last-event-id': 'yesterday' })
  expect(unknown.response.status).toBe(400)
  expect((await jsonOf(unknown.response)).code).toBe('invalid_request')
  const nobody = await fetch(`${doors.url}/api/feed`, { headers: { accept: 'text/event-stream' } })
  expect(nobody.status).toBe(401)
})

test('an account has a tenth of all streams, and a closed one makes room', async () => {
  const open = [await openRaw(), await openRaw()]
  const third = await openRaw()
  expect([third.response.status, (await jsonOf(third.response)).code]).toEqual([
    429,
    'too_many_sessions',
  ])
  const { key } = await doors.openAccount('free')
  const others = await openRaw({}, key)
  expect(others.response.status).toBe(200)
  others.close()
  open[0]?.close()
  await vi.waitFor(async () => {
    const next = await openRaw()
    next.close()
    expect(next.response.status).toBe(200)
  }, 30_000)
  open[1]?.close()
})

test('streams end with the process, without delay', async () => {
  await closeService()
  await openService()
  const { response } = await openRaw()
  const ended = response.text()
  const started = performance.now()
  await doors.close()
  // Before the next heartbeat, sent every 15 s.
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(await ended).toContain('event: stream.opened')
  await openService()
})

test('a quiet stream is kept alive by comments and ends when its key is revoked', async () => {
  await closeService()
  await openService({ FEED_HEARTBEAT_SECONDS: '5' })
  const { response } = await openRaw()
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toMatch(
    /^retry: 3000\nid: (\d+)\nevent: stream.opened\ndata: {"id":"\1","type":"stream.opened"}\n\n$/,
  )
  const comments = /^(: keep-alive\n\n)+$/
  expect((await reader?.read())?.value).toMatch(comments)
  await revokeKeyTree(doors.db, holder.keyId, new Date())
  // Another chunk may have been written just before.
  for (let next = await reader?.read(); !next?.done; next = await reader?.read()) {
    expect(next?.value).toMatch(comments)
  }
})

test('reconnecting to a stopping process costs no quota', async () => {
  const { response } = await openRaw()
  doors.drain()
  expect(await response.text()).toContain('event: stream.opened')
  for (let times = 0; times < 3; times += 1) {
    const again = (await openRaw()).response
    expect([again.status, await again.text()]).toEqual([200, 'retry: 3000\n'])
    expect(again.headers.get('connection')).toBe('close')
  }
  const ping = await fetch(`${doors.url}/api/ping`, { headers: bearer(holder.key) })
  expect(ping.headers.get('ratelimit')).toMatch(/"day";r=98;/)
})

nightly(
  'a stream survives a database outage, and sends what was published then',
  async () => {
    await closeService()
    let cut = async () => async (): Promise<TcpProxy | undefined> => undefined
    await openService({}, async (databaseUrl) => {
      const address = new URL(databaseUrl)
      const [host, port] = [address.hostname, Number(address.port)]
      const wire = await openTcpProxy(host, port)
      cut = async () => {
        await wire.close()
        return () => openTcpProxy(host, port, wire.port)
      }
      address.port = String(wire.port)
      return address.href
    })
    const { response, close } = await openRaw()
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('stream.opened')
    const mend = await cut()
    expect((await reader?.read())?.value).toBe(': keep-alive\n\n')
    const mended = await mend()
    const slug = await happen()
    let told = ''
    while (!told.includes('venue.added')) {
      const { value = '', done } = (await reader?.read()) ?? { done: true }
      expect(done).toBe(false)
      told += value
    }
    expect(told).toContain(slug)
    close()
    await mended?.close()
  },
  60_000,
)
