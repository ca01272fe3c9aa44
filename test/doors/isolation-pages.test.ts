import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue } from '../../src/catalogue.ts'
import { marksOf, type Owner, openOwner, rowsOf, type Things } from '../support/belongings.ts'
import { bearer, type Doors, openDoors } from '../support/open-doors.ts'

/** What the parameter of an address below this one names. A page with a parameter that is below none of them is not tried, and a test says so. */
const namedBelow: Record<string, keyof Things | 'everybody’s'> = {
  '/dashboard/bookings': 'booking',
  '/dashboard/webhooks': 'endpoint',
  '/dashboard/deliveries': 'delivery',
  '/dashboard/replays': 'replay',
  '/dashboard/events': 'eventNumber',
  '/dashboard/events/types': 'everybody’s',
  '/dashboard/keys': 'key',
  '/dashboard/agents': 'agent',
}

/** Addresses with a parameter outside the dashboard that are no operation of the catalogue. */
const elsewhere = [
  // tried below
  '/api/bookings/:id/calendar.ics',
  '/agents/:name/.well-known/agent-card.json',
  // of venues, by signatures and by links that are secrets
  '/api/venue-connector/:venue',
  '/venue/:token',
  '/venue/:token/bookings/:booking',
  // of nobody
  '/assets/:name',
  '/docs/:page',
  '/venues/:slug',
]

/** Enough for every form to be judged by what it is about. */
const fields = {
  name: 'x',
  held: 'release',
  way: 'numbers',
  from_number: '1',
  url: 'https://a.example/',
  event_types: '*',
}

type Route = { method: string; path: string }

const routes: Route[] = []
let doors: Doors
let first: Owner
let second: Owner
let marks: Set<string>
let before: Awaited<ReturnType<typeof rowsOf>>

beforeAll(async () => {
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      // Those of several methods are the refusal of every method that an address does not take.
      if (method === 'GET' || method === 'POST') routes.push({ method, path: url })
    })
  }
  subscribe('fastify.initialization', watch)
  doors = await openDoors()
  unsubscribe('fastify.initialization', watch)
  first = await openOwner(doors, 3)
  second = await openOwner(doors)
  marks = await marksOf(doors, first)
  before = await rowsOf(doors, first)
})
afterAll(() => doors?.close())

const withParameter = () => routes.filter(({ path }) => path.includes(':'))
const isDashboard = ({ path }: Route) => path.startsWith('/dashboard')
/** Streams do not end; what they show is tried in delivery-tail.test.ts. */
const isStream = ({ path }: Route) => path.endsWith('/tail')

const thingOf = ({ path }: Route) => namedBelow[path.slice(0, path.indexOf('/:'))]

/** The same address for something of this account. */
function addressOf(route: Route, { things }: Owner): string {
  const thing = thingOf(route)
  if (!thing || thing === 'everybody’s')
    throw new Error(`${route.path} is about nothing of anybody`)
  return route.path.replace(/:\w+/, things[thing])
}

const about = () =>
  withParameter().filter((route) => isDashboard(route) && thingOf(route) !== 'everybody’s')

const told = (text: string, sent: string) =>
  [...marks].filter((mark) => text.includes(mark) && !sent.includes(mark))

test('every address with a parameter is tried, or is nobody’s', () => {
  const paths = new Set(withParameter().map(({ path }) => path))
  expect(paths.size).toBeGreaterThan(60)
  const operations = new Set(
    catalogue.map(({ rest }) => rest.route.replace(/^\w+ /, '').replaceAll(/\{(\w+)\}/g, ':$1')),
  )
  const inDashboard = [...paths].filter((path) => path.startsWith('/dashboard'))
  expect(inDashboard.filter((path) => !thingOf({ method: '', path }))).toEqual([])
  const rest = [...paths].filter((path) => !path.startsWith('/dashboard') && !operations.has(path))
  expect(rest.sort()).toEqual(elsewhere.toSorted())
})

test('a page about something of another account is not there, nor is a form that changes it', async () => {
  const wrong: string[] = []
  for (const route of about()) {
    const address = addressOf(route, first)
    const { status, html, headers } =
      route.method === 'POST'
        ? await second.browser.post(address, fields)
        : await second.browser.get(`${address}?way=numbers&from_number=1`)
    // Addresses of forms lead back to their page, without looking.
    const leadsTo = headers.get('location')
    const isBack = route.method === 'GET' && status === 303 && address.startsWith(`${leadsTo}/`)
    if (!isBack && status !== 404) wrong.push(`${route.method} ${route.path}: ${status}`)
    if (told(html + leadsTo, address).length > 0) wrong.push(`${route.path} tells`)
  }
  expect(wrong).toEqual([])
})

test('a page without parameter shows nothing of another account, whatever it is asked about', async () => {
  const wrong: string[] = []
  const pages = routes.filter(
    (one) => isDashboard(one) && one.method === 'GET' && !/[:*]/.test(one.path) && !isStream(one),
  )
  expect(pages.length).toBeGreaterThan(12)
  for (const { path } of pages) {
    const filters = Object.entries(first.things).map(([name, id]) => `?${name}=${id}`)
    await Promise.all(
      ['', ...filters].map(async (query) => {
        const { status, html } = await second.browser.get(path + query)
        if (status >= 500) wrong.push(`${path}${query}: ${status}`)
        wrong.push(...told(html, query).map((mark) => `${path}${query} tells ${mark}`))
      }),
    )
  }
  expect(wrong).toEqual([])
})

test('a form without parameter does nothing to another account, whatever its fields name', async () => {
  const forms = routes.filter(
    (one) => isDashboard(one) && one.method === 'POST' && !one.path.includes(':'),
  )
  expect(forms.length).toBeGreaterThan(6)
  const { agent: _, ...ids } = first.things
  const named = { ...fields, ...ids, id: first.things.endpoint, form: first.things.event }
  const wrong: string[] = []
  for (const { path } of forms) {
    const { status, html } = await second.browser.post(path, { ...named })
    if (status >= 500) wrong.push(`${path}: ${status}`)
    wrong.push(...told(html, JSON.stringify(named)).map((mark) => `${path} tells ${mark}`))
  }
  expect(wrong).toEqual([])
})

test('the calendar file of a booking and the card of a private agent are not there', async () => {
  const calendar = `${doors.url}/api/bookings/${first.things.booking}/calendar.ics`
  expect((await fetch(calendar, { headers: bearer(second.key) })).status).toBe(404)
  const card = `${doors.url}/agents/${first.things.agent}/.well-known/agent-card.json`
  expect((await fetch(card)).status).toBe(404)
})

test('after all of it everything of the first account is as it was', async () => {
  expect(await rowsOf(doors, first)).toEqual(before)
})

test('to the first account every one of these pages is there', async () => {
  const wrong: string[] = []
  for (const route of about().filter(({ method }) => method === 'GET')) {
    const { status } = await first.browser.get(
      `${addressOf(route, first)}?way=numbers&from_number=1`,
    )
    if (![200, 303].includes(status)) wrong.push(`${route.path}: ${status}`)
  }
  expect(wrong).toEqual([])
})
