import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue } from '../../src/network.ts'
import {
  marksOf,
  type Owner,
  openOwner,
  openSandboxOwner,
  rowsOf,
  type Things,
} from '../support/belongings.ts'
import { openBrowser } from '../support/developers.ts'
import { fields, openListedDoors, type Route } from '../support/listed-doors.ts'
import { daily, sample } from '../support/nightly.ts'
import { bearer, type Doors } from '../support/open-doors.ts'

/** What the parameter after each address names. A test fails for any page that is not covered. */
const namedBelow: Record<string, keyof Things | 'everybody’s'> = {
  '/dashboard/bookings': 'booking',
  '/dashboard/webhooks': 'endpoint',
  '/dashboard/deliveries': 'delivery',
  '/dashboard/replays': 'replay',
  '/dashboard/events': 'eventNumber',
  '/dashboard/keys': 'key',
  '/dashboard/connections': 'connection',
  '/dashboard/clocks': 'clock',
  '/dashboard/requests': 'request',
  '/dashboard/agents': 'agent',
  '/dashboard/invoices': 'invoice',
  '/dashboard/members': 'member',
  '/dashboard/payments': 'payment',
  '/dashboard/members/invitations': 'invitation',
}

/** For operators, and covered by the operators' tests: everyone else gets 404. */
const isForOperators = (path: string) => path.startsWith('/dashboard/operators/')

/** Addresses with a parameter outside the dashboard that are not in the catalogue. */
const elsewhere = [
  // tried below
  '/agents/:name/.well-known/agent-card.json',
  // for venues, with signatures and secret links
  '/api/venue-connector/:venue',
  '/venue/:token',
  '/venue/:token/bookings/:booking',
  '/venue/:token/bookings/:booking/end',
  '/venue/:token/bookings/:booking/times',
  '/venue/:token/day',
  '/venue/:token/leave',
  '/venue/:token/people',
  '/venue/:token/push',
  '/venue/:token/tables',
  '/venue/:token/tables/:walk_in/free',
  '/venue/:token/who',
  '/venue/join/:token',
  '/venue/notice/:token',
  '/venue/notice/:token/allow',
  '/venue/notice/:token/seen',
  '/venue/notice/:token/stop',
  // for guests, with secret links
  '/guest/:token',
  '/guest/:token/calendar.ics',
  '/guest/:token/cancel',
  '/guest/:token/accept',
  '/guest/:token/change',
  '/guest/mails/:token',
  // for payments, with secret links, in development
  '/pay/:token',
  // for the browser in which a request of an assistant began
  '/oauth/authorize/:uid',
  '/oauth/consent/:uid',
  // public
  '/assets/:name',
  '/docs/:page',
  '/reference/:id',
  '/venues/:slug',
]

let routes: Route[]
let doors: Doors
let first: Owner
let second: Owner
let marks: Set<string>
let before: Awaited<ReturnType<typeof rowsOf>>

beforeAll(async () => {
  ;({ doors, routes } = await openListedDoors())
  first = await openOwner(doors, 3)
  second = await openOwner(doors)
  marks = await marksOf(doors, first)
  before = await rowsOf(doors, first)
})
afterAll(() => doors?.close())

const withParameter = () => routes.filter(({ path }) => path.includes(':'))
const isDashboard = ({ path }: Route) => path.startsWith('/dashboard')

const thingOf = ({ path }: Route) => namedBelow[path.slice(0, path.indexOf('/:'))]

/** The same address for this account's object. */
function addressOf(route: Route, { things }: Owner): string {
  const thing = thingOf(route)
  if (!thing || thing === 'everybody’s')
    throw new Error(`${route.path} is about nothing of anybody`)
  return route.path.replace(/:\w+/, things[thing])
}

const about = () =>
  withParameter().filter(
    (route) =>
      isDashboard(route) && !isForOperators(route.path) && thingOf(route) !== 'everybody’s',
  )

const told = (text: string, sent: string) =>
  [...marks].filter((mark) => text.includes(mark) && !sent.includes(mark))

test('every address with a parameter is covered or public', () => {
  const paths = new Set(withParameter().map(({ path }) => path))
  expect(paths.size).toBeGreaterThan(60)
  const operations = new Set(
    catalogue.map(({ rest }) => rest.route.replace(/^\w+ /, '').replaceAll(/\{(\w+)\}/g, ':$1')),
  )
  const inDashboard = [...paths].filter(
    (path) => path.startsWith('/dashboard') && !isForOperators(path),
  )
  expect(inDashboard.filter((path) => !thingOf({ method: '', path }))).toEqual([])
  const rest = [...paths].filter((path) => !path.startsWith('/dashboard') && !operations.has(path))
  expect(rest.sort()).toEqual(elsewhere.toSorted())
})

test('a page or a form of another account’s object is 404', async () => {
  const wrong: string[] = []
  for (const route of about()) {
    const address = addressOf(route, first)
    const { status, html, headers } =
      route.method === 'POST'
        ? await second.browser.post(address, fields)
        : await second.browser.get(`${address}?way=numbers&from_number=1`)
    // Form addresses redirect to their page without checking.
    const leadsTo = headers.get('location')
    const isBack = route.method === 'GET' && status === 303 && address.startsWith(`${leadsTo}/`)
    if (!isBack && status !== 404) wrong.push(`${route.method} ${route.path}: ${status}`)
    if (told(html + leadsTo, address).length > 0) wrong.push(`${route.path} tells`)
  }
  expect(wrong).toEqual([])
})

test('a page without a parameter shows only its own account, whatever the query', async () => {
  const wrong: string[] = []
  const pages = routes.filter(
    (one) => isDashboard(one) && one.method === 'GET' && !/[:*]/.test(one.path),
  )
  expect(pages.length).toBeGreaterThan(12)
  for (const [at, { path }] of pages.entries()) {
    const filters = Object.entries(first.things).map(([name, id]) => `?${name}=${id}`)
    await Promise.all(
      ['', ...sample(filters, 4, at)].map(async (query) => {
        const { status, html } = await second.browser.get(path + query)
        if (status >= 500) wrong.push(`${path}${query}: ${status}`)
        wrong.push(...told(html, query).map((mark) => `${path}${query} tells ${mark}`))
      }),
    )
  }
  expect(wrong).toEqual([])
})

test('a form without a parameter affects only its own account, whatever its fields', async () => {
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

test('every page and form of operators is 404 for an account', async () => {
  const { things } = first
  const ids = [things.booking, things.endpoint, things.delivery, first.accountId]
  const stranger = await openBrowser(doors)
  const wrong: string[] = []
  for (const { method, path } of withParameter().filter(({ path }) => isForOperators(path))) {
    for (const id of ids) {
      const address = path.replace(/:\w+/, id)
      const { status, headers } =
        method === 'POST' ? await stranger.post(address, fields) : await stranger.get(address)
      const leadsTo = headers.get('location')
      const isBack = method === 'GET' && status === 303 && address.startsWith(`${leadsTo}/`)
      if (!isBack && status !== 404) wrong.push(`${method} ${path}: ${status}`)
    }
  }
  expect(wrong).toEqual([])
})

/** A sandbox's keys are on the pages of its account, which are the same in either mode. */
const isOfBothModes = ({ path }: Route) =>
  /^\/dashboard\/(?:keys|agents|members|clocks)\//.test(path)

test.each(daily(['live', 'test']))(
  'on the pages of the %s mode, objects of the other mode are 404',
  async (mode) => {
    // Events are numbered per account: only the other account has these.
    const [own, tested] = mode === 'live' ? [0, 3] : [3, 0]
    const owner = await openOwner(doors, own)
    const sandbox = await openSandboxOwner(doors, owner.accountId, tested)
    const base = mode === 'live' ? '/dashboard' : '/dashboard/test'
    const other = mode === 'live' ? sandbox : owner
    const otherMarks = await marksOf(doors, other)
    // Every page shows who is signed in.
    otherMarks.delete(owner.browser.developerId)
    const wrong: string[] = []
    for (const route of about().filter((one) => !isOfBothModes(one))) {
      const address = addressOf(route, other).replace('/dashboard', base)
      const { status, html, headers } =
        route.method === 'POST'
          ? await owner.browser.post(address, fields)
          : await owner.browser.get(address)
      const leadsTo = headers.get('location')
      const isBack = route.method === 'GET' && status === 303 && address.startsWith(`${leadsTo}/`)
      if (!isBack && status !== 404) wrong.push(`${route.method} ${route.path}: ${status}`)
      const seen = [...otherMarks].filter((mark) => html.includes(mark) && !address.includes(mark))
      if (seen.length > 0) wrong.push(`${route.path} tells ${seen}`)
    }
    expect(wrong).toEqual([])
  },
)

test('a booking’s calendar file and a private agent’s card are 404 for others', async () => {
  const calendar = `${doors.url}/api/bookings/${first.things.booking}/calendar.ics`
  expect((await fetch(calendar, { headers: bearer(second.key) })).status).toBe(404)
  const card = `${doors.url}/agents/${first.things.agent}/.well-known/agent-card.json`
  expect((await fetch(card)).status).toBe(404)
})

test('afterwards everything of the first account is unchanged', async () => {
  expect(await rowsOf(doors, first)).toEqual(before)
})

test('the first account can open every one of these pages', async () => {
  const wrong: string[] = []
  for (const route of about().filter(({ method }) => method === 'GET')) {
    const { status } = await first.browser.get(
      `${addressOf(route, first)}?way=numbers&from_number=1`,
    )
    if (![200, 303].includes(status)) wrong.push(`${route.path}: ${status}`)
  }
  expect(wrong).toEqual([])
})
