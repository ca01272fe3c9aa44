import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateOperator, updateVerified } from '../../src/accounts/store/developers.ts'
import { guestMailsUrl, guestPageUrl } from '../../src/bookings/steps/guest-link.ts'
import { venueLinkUrl } from '../../src/confirmation/rules/venue-link.ts'
import { insertLink } from '../../src/confirmation/store/venue-links.ts'
import { type Owner, openOwner } from '../support/belongings.ts'
import { crawl } from '../support/crawl.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { look } from '../support/venue-people.ts'

type Route = { method: string; path: string }

const routes: Route[] = []
let doors: Doors
let owner: Owner
beforeAll(async () => {
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      const isPage = /^\/(?:dashboard|sign-|forgot|reset|join|verify|pay)/.test(url)
      if (isPage && !/\*|\/tail$|\.csv$|\.json$|sign-out|sessions|leave/.test(url)) {
        routes.push({ method: String(method), path: url })
      }
    })
  }
  subscribe('fastify.initialization', watch)
  doors = await openDoors({ OPEN_REQUESTS_PER_MINUTE: '10000' })
  unsubscribe('fastify.initialization', watch)
  owner = await openOwner(doors, 1)
  await updateVerified(doors.db, owner.browser.developerId, new Date())
  await updateOperator(doors.db, owner.browser.email, true)
})
afterAll(() => doors?.close())

/** What a person reads on a page: without code, which is marked as such. */
const wordsOf = (html: string): string =>
  html
    .replace(/^[\s\S]*<body>/, '')
    .replaceAll(/<(script|style|pre|code|option)\b[\s\S]*?<\/\1>/g, ' … ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** Marks of code and links, as in Markdown. */
const MARKS = [/`[^`]*`?/, /\]\([^)]*\)/]

/** Schema messages, field names, addresses and lists of values. */
const API_TEXT = [
  /\bexpected (?:an?|one|at|to|the|only|between|\d)\b.{0,60}/,
  /\bInvalid (?:input|option|string).{0,40}/,
  /(?<![\w/.@:-])[a-z]+(?:_[a-z]+)+(?![\w./:@-])/,
  /\b(?:GET|POST|PATCH|DELETE) \/\w+/,
  /"[\w.]+"(?:\|"[\w.]+")+/,
]

/** Pages about API calls are allowed to use the names in these calls. */
const isAboutCalls = (page: string) => /^\/(?:reference|errors|dashboard\/requests\/)/.test(page)

function faultsOf(page: string, html: string): string[] {
  const words = wordsOf(html).replaceAll('&quot;', '"')
  return [...MARKS, ...(isAboutCalls(page) ? [] : API_TEXT)].flatMap((pattern) => {
    const match = pattern.exec(words)
    return match ? [`${page}: ${match[0]}`] : []
  })
}

const things: Record<string, keyof Owner['things']> = {
  bookings: 'booking',
  webhooks: 'endpoint',
  deliveries: 'delivery',
  replays: 'replay',
  events: 'eventNumber',
  keys: 'key',
  connections: 'connection',
  agents: 'agent',
  invoices: 'invoice',
  clocks: 'clock',
  payments: 'payment',
  requests: 'request',
  endpoints: 'endpoint',
}

function addressOf(path: string): string {
  const section = path.replace('/operators', '').split('/')[2] ?? ''
  const thing = things[section]
  const id = path.includes('/accounts/')
    ? owner.accountId
    : thing
      ? owner.things[thing]
      : randomUUID()
  return path
    .replace('/types/:type', '/types/booking.confirmed')
    .replace(':slug', 'sandbox-table')
    .replace('/operators/events/:id', `/operators/events/${owner.things.event}`)
    .replace(/:\w+/, id)
}

test('no page of the dashboard or of an account uses the API’s terms', async () => {
  const faults: string[] = []
  for (const { path } of routes.filter(({ method }) => method === 'GET')) {
    for (const query of ['', '?status=nope&code=nope&from=nope&cursor=nope&way=numbers&q=zzz']) {
      const { html, headers } = await owner.browser.get(addressOf(path) + query)
      if (!headers.get('content-type')?.startsWith('text/html')) continue
      faults.push(...faultsOf(`${path}${query}`, html))
    }
  }
  expect([...new Set(faults)]).toEqual([])
})

test('no refusal of a form uses the API’s terms', async () => {
  const faults: string[] = []
  const wrong = {
    ...{
      name: ' '.repeat(3),
      url: 'ht tp://x\\',
      event_types: 'nope',
      email: 'no',
      overlap: '9999',
    },
    ...{ from_number: 'x', failed_since: '2026-12-24T11:00', until_number: '-1', per_second: '0' },
    ...{ way: 'numbers', ips: '300.1.1.1', scopes: 'nope', tier: 'nope', to: '2001-01-01T00:00' },
    ...{ by: 'nope', now: '1990-01-01T00:00', amount: '-1', currency: 'x', reason: '', form: 'no' },
    ...{ role: 'nope', mode: 'nope', expires_at: 'nope', challenge: 'nope', note: 'x'.repeat(900) },
    ...{
      password: '1',
      new_password: '1',
      token: 'x',
      session: 'x',
      sure: 'yes',
    },
  }
  const posts = routes.filter(
    ({ method, path }) => method === 'POST' && !/delete|remove|accounts$|plan$/.test(path),
  )
  for (const { path } of posts) {
    for (const fields of [{}, wrong]) {
      const { html, headers } = await owner.browser.post(addressOf(path), fields)
      if (!headers.get('content-type')?.startsWith('text/html')) continue
      faults.push(...faultsOf(`${path} ${Object.keys(fields).length}`, html))
    }
  }
  expect([...new Set(faults)]).toEqual([])
})

test('no public page, nor any for guests and staff, uses the API’s terms', async () => {
  const { db, sealer, url } = doors
  const seen = new Map<string, number>()
  const follow = (path: string) => {
    if (/^\/(?:assets|api|openapi|docs|changelog)|\.(?:md|txt|xml|json|png|ics|csv)\b/.test(path))
      return false
    const kind = path.replace(/^(\/(?:venues|share))\/[^?]+/, '$1/…').replace(/=[^&]*/g, '=')
    seen.set(kind, (seen.get(kind) ?? 0) + 1)
    return (seen.get(kind) ?? 0) <= 2
  }
  const { pages } = await crawl(url, { limit: 400, follow })
  const faults = [...pages]
    .filter(([, { type }]) => type.startsWith('text/html'))
    .flatMap(([path, { text }]) => faultsOf(path, text))
  const { booking } = owner.things
  const { rows } = await db.query('select venue_id from booking where id = $1', [booking])
  const link = { id: randomUUID(), venueId: rows[0].venue_id, bookingId: null, days: 1 }
  const staff = venueLinkUrl(sealer, url, await insertLink(db, { ...link, at: new Date() }))
  const guest = guestPageUrl(sealer, url, booking)
  const addresses = [staff, `${staff}/bookings/${booking}`, `${staff}/bookings/nope`, guest]
  addresses.push(`${guest}/cancel`, `${url}/guest/nope`, guestMailsUrl(sealer, url, booking))
  addresses.push(`${url}/venues?q=${'x'.repeat(400)}`, `${url}/venues/nope`, `${url}/nope`)
  for (const address of addresses) {
    const { html } = await look(address, { headers: { accept: 'text/html' } })
    faults.push(...faultsOf(address.slice(url.length, url.length + 20), html))
  }
  const said = new URLSearchParams({ said: 'maybe', form: 'x', revision: 'y' })
  for (const address of [`${staff}/bookings/${booking}`, `${guest}/cancel`]) {
    const { html } = await look(address, { method: 'POST', body: said })
    faults.push(...faultsOf(`POST ${address.slice(url.length, url.length + 7)}`, html))
  }
  expect(faults).toEqual([])
})
