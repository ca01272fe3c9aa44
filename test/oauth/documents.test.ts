import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutbound, type OutboundAnswer } from '../../src/platform/http/client.ts'
import { OutboundError } from '../../src/platform/http/failure.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { openIndependentClient, PUBLIC_URL } from '../support/oauth.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

const ID = 'https://assistant.example/oauth/client.json'
const own = { client_id: ID }
const redirect = 'https://assistant.example/callback'
const document = {
  client_id: ID,
  client_name: 'Assistant',
  redirect_uris: [redirect],
  token_endpoint_auth_method: 'none',
}

/** What the assistant's host answers; the guarded client itself serves all other hosts. */
let host: { body?: string; status?: number; headers?: Record<string, string>; isAway?: boolean }
let reads = 0
const guarded = createOutbound({
  allow: [],
  httpsOnly: true,
  allowLoopback: false,
  ports: [443],
  maxSockets: 10,
})
const outbound = {
  close: guarded.close,
  async send(request: Parameters<typeof guarded.send>[0]): Promise<OutboundAnswer> {
    if (!request.url.startsWith('https://assistant.example/')) return guarded.send(request)
    reads += 1
    if (host.isAway) throw new OutboundError('broken')
    const whole = Buffer.from(host.body ?? JSON.stringify({ ...document, client_id: request.url }))
    const body = whole.subarray(0, request.maxBodyBytes)
    const truncated = whole.length > body.length
    return { status: host.status ?? 200, headers: host.headers ?? {}, body, truncated, ms: 1 }
  },
}

let doors: Doors
let person: Browser
let oauth: ReturnType<typeof openIndependentClient>
beforeAll(async () => {
  doors = await openDoors({}, undefined, undefined, {}, { outbound })
  person = await openBrowser(doors)
  oauth = openIndependentClient(doors)
})
afterAll(() => doors.close())

/** New doors on the same database with an empty cache, as in another process or an hour later. */
const openOthers = async (to: (client: typeof oauth) => Promise<unknown>) => {
  const { connectionString = '' } = doors.db.options
  const others = await openDoors(
    {},
    async () => connectionString,
    undefined,
    {},
    {
      outbound,
      sealer: doors.sealer,
    },
  )
  await to(openIndependentClient(others)).finally(() => others.close())
}

test.each([
  ['is larger than it may be', { body: `{"x":"${'x'.repeat(1_000_000)}"}` }],
  ['redirects elsewhere', { status: 302, headers: { location: 'https://evil.example' } }],
  ['is about another client', { body: JSON.stringify({ ...document, client_id: `${ID}?` }) }],
  ['has no name', { body: JSON.stringify({ ...document, client_name: undefined }) }],
  ['has a secret', { body: JSON.stringify({ ...document, client_secret: 'x' }) }],
  [
    'leads to an address without TLS',
    { body: JSON.stringify({ ...document, redirect_uris: ['http://assistant.example/callback'] }) },
  ],
  ['is not JSON', { body: '<html>' }],
  ['cannot be read', { isAway: true }],
])('a document that %s is refused without a redirect', async (_, answer) => {
  host = answer
  const { status, location } = await oauth.authorize(own, { redirect })
  expect([status, location]).toEqual([400, ''])
})

test.each(['https://127.0.0.1/c.json', 'https://10.0.0.1/c.json', 'https://localhost/c.json'])(
  'no document is read from %s',
  async (client_id) => {
    const { status, location } = await oauth.authorize({ client_id }, { redirect })
    expect([status, location]).toEqual([400, ''])
  },
)

test('another process shows and answers the request of a client that it never read', async () => {
  host = {}
  const fresh = { client_id: `${ID}/fresh` }
  const asked = await oauth.authorize(fresh, { redirect })
  await openOthers(async (client) => {
    const page = await client.visit(PUBLIC_URL + asked.location, asked.jar, person.cookie)
    expect(page.body).toContain('assistant.example')
    const no = await client.answer(await oauth.authorize(fresh, { redirect }), person, 'cancel')
    expect(no.params.get('error')).toBe('access_denied')
    const back = await client.answer(asked, person)
    expect(await client.exchange(fresh, back)).toHaveProperty('access_token')
  })
})

test('a document is read once, its changes show, and tokens outlive an absent host', async () => {
  host = {}
  reads = 0
  const first = await oauth.authorize(own, { redirect })
  const tokens = await oauth.exchange(own, await oauth.answer(first, person))
  await oauth.authorize(own, { redirect })
  expect(reads).toBe(1)
  let newest = String(tokens.refresh_token)
  const open = async (client: typeof oauth) => {
    const asked = await client.authorize(own, { redirect })
    const page = await client.visit(PUBLIC_URL + asked.location, asked.jar, person.cookie)
    return page.body
  }
  const known = await open(oauth)

  host = { isAway: true }
  await openOthers(async (client) => {
    expect((await client.authorize(own, { redirect })).status).toBe(400)
    newest = String((await client.refresh(own, newest)).refresh_token)
    expect((await client.authorize({ client_id: `${ID}2` }, { redirect })).status).toBe(400)
  })

  host = { status: 503 }
  await openOthers(async (client) => {
    newest = String((await client.refresh(own, newest)).refresh_token)
  })
  host = { status: 410 }
  await openOthers(async (client) => {
    await expect(client.refresh(own, newest)).rejects.toThrow()
  })

  host = { body: JSON.stringify({ ...document, client_name: 'Other' }) }
  await openOthers(async (client) => {
    const changed = await open(client)
    expect(changed).toContain('Other')
    expect(changed.replaceAll('Other', 'Assistant')).not.toBe(known)
  })
  reads = 0
  const strange = new URLSearchParams({ grant_type: 'refresh_token', client_id: `${ID}3` })
  await fetch(`${doors.url}/oauth/token`, { method: 'POST', body: strange })
  expect(reads).toBe(0)
})
