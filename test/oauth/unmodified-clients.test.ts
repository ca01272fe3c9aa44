import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openVisitor } from '../support/developers.ts'
import { callOn } from '../support/mcp-streamable.ts'
import { openService, type Service } from '../support/network.ts'
import { ownPort } from '../support/ports.ts'

const suite = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/conformance/dist/index.js',
)
let service: Service

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service?.close())

/** A person without an account, whom a program sends to an address: signs up and allows it. */
async function approve(address: URL): Promise<URL> {
  const person = openVisitor(service.url)
  const pathOf = ({ headers }: { headers: Headers }) => {
    const { pathname, search } = new URL(headers.get('location') ?? '', service.url)
    return pathname + search
  }
  const consent = pathOf(await person.get(address.pathname + address.search))
  expect(pathOf(await person.get(consent))).toMatch(/^\/sign-up\?next=/)
  const email = `${crypto.randomUUID()}@example.com`
  await person.post('/sign-up', { email, password: 'correct horse battery', next: consent })
  const { html } = await person.get(consent)
  const account = `test:${/value="([\da-f-]{36})"/.exec(html)?.[1]}`
  const allowed = await person.post(consent, { answer: 'allow', account })
  const back = await person.get(pathOf(allowed))
  return new URL(back.headers.get('location') ?? '')
}

/** What a program stores of a sign-in, in memory. */
function openProvider() {
  let client: StoredOAuthClientInformation | undefined
  let tokens: StoredOAuthTokens | undefined
  let discovery: OAuthDiscoveryState | undefined
  let verifier = ''
  const sent: URL[] = []
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1:41999/callback',
    clientMetadata: { client_name: 'Test', redirect_uris: ['http://127.0.0.1:41999/callback'] },
    clientInformation: () => client,
    saveClientInformation: (one) => {
      client = one
    },
    tokens: () => tokens,
    saveTokens: (one) => {
      tokens = one
    },
    redirectToAuthorization: (address) => {
      sent.push(address)
    },
    saveCodeVerifier: (one) => {
      verifier = one
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (one) => {
      discovery = one
    },
    discoveryState: () => discovery,
  }
  return { provider, sent }
}

test.each(['auto', 'legacy'] as const)(
  'the official client (%s) searches at once, signs a person in to book, books, and stays',
  async (mode) => {
    const { provider, sent } = openProvider()
    const address = new URL(`${service.url}/mcp`)
    const transport = new StreamableHTTPClientTransport(address, { authProvider: provider })
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
    await client.connect(transport)
    const { output } = await callOn(client, 'search_venues', { query: 'sushi in canggu' })
    expect([output.venues.length > 0, sent.length]).toEqual([true, 0])
    const slot = { venue: 'sandbox-table', slot_time: 'tomorrow 19:00', party_size: 2 }
    const book = () =>
      callOn(client, 'confirm_booking', { ...slot, guest_ref: 'sandbox:confirmed' })
    await expect(book()).rejects.toThrow('Unauthorized')
    const back = await approve(sent[0] as URL)
    await transport.finishAuth(back.searchParams)
    expect((await book()).output).toMatchObject({ status: 'confirmed' })
    // Then its token expires, which neither it nor the person notices.
    await service.db.query(
      `update oauth_artifact set expires_at = now() where kind = 'AccessToken'`,
    )
    const { bookings } = (await callOn(client, 'list_bookings', {})).output
    expect([bookings.length, sent.length]).toEqual([1, 1])
    await client.close()
  },
)

test('the official suite signs in by its own client', async () => {
  const port = await ownPort()
  const registered = await fetch(`${service.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const args = ['--url', service.url, '--client-id', client_id, '--port', `${port}`]
  const run = spawn(process.execPath, [
    ...[suite, 'authorization', ...args, '--resource', `${service.url}/mcp`],
  ])
  let report = ''
  const asked = Promise.withResolvers<URL>()
  for (const stream of [run.stdout, run.stderr]) {
    stream.on('data', (text) => {
      report += text
      const address = /^http\S+\/oauth\/authorize\?\S+$/m.exec(report)?.[0]
      if (address) asked.resolve(new URL(address))
    })
  }
  const ended = new Promise((resolve) => run.once('exit', resolve))
  await fetch(await approve(await asked.promise))
  expect(await ended, report).toBe(0)
  expect(report.match(/^✓ .+, 0 failed/gm), report).toHaveLength(2)
}, 30_000)
