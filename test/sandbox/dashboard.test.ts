import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAccount } from '../../src/accounts/steps/close-account.ts'
import { byCommand } from '../../src/contract/audit.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { agentWith } from '../support/agent.ts'
import { type Browser, openBrowser, openVisitor } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { addTestKey, testSlot } from '../support/sandbox.ts'
import { makeTraffic } from '../support/traffic.ts'

let doors: Doors
let browser: Browser
let live: { bookingId: string }
let testId: string

beforeAll(async () => {
  doors = await openDoors()
  browser = await openBrowser(doors, { tier: 'pro' })
  live = await makeTraffic(doors.db, browser.accountId)
  const { accountId, key } = await addTestKey(doors.db, browser.accountId)
  const agent = agentWith(doors.url, accountId, key)
  const { body } = await agent.post('/api/bookings', { ...testSlot('sandbox-spa'), wait: 0 })
  testId = body.booking.id
  const hook = { url: 'https://sandbox.example/hooks', event_types: ['booking.confirmed'] }
  expect((await agent.post('/api/webhooks', hook)).status).toBe(201)
})
afterAll(() => doors?.close())

const CURRENT = (label: string) => new RegExp(`aria-current="true"\\s*>${label}</a>`)

test('an address shows its mode, whatever another tab shows, without scripts', async () => {
  const before = await browser.get('/dashboard/bookings')
  expect(before.html).toMatch(CURRENT('Live'))
  expect(before.html).not.toContain('Test mode.')
  expect(before.html).toContain(live.bookingId)
  expect(before.html).not.toContain(testId)

  const other = await browser.get('/dashboard/test/bookings')
  expect(other.html).toMatch(CURRENT('Test'))
  expect(other.html).toContain('Test mode.')
  expect(other.html).toContain('Sandbox Spa')
  expect(other.html).not.toContain(live.bookingId)
  expect((await browser.get('/dashboard/test/webhooks')).html).toContain('sandbox.example')
  expect((await browser.get('/dashboard/webhooks')).html).not.toContain('sandbox.example')
})

test('every link and form on a page in test mode stays in that mode and works', async () => {
  const links = new Set<string>()
  const starts = ['', '/bookings', '/webhooks', '/keys', '/members', `/bookings/${testId}`]
  for (const start of starts) {
    const { html } = await browser.get(`/dashboard/test${start}`)
    const own = html.replace(/<nav class="mode[\s\S]*?<\/nav>/, '')
    for (const [, name, path = ''] of own.matchAll(/ (href|action)="(\/dashboard[^"#]*)/g)) {
      expect(path).toMatch(/^\/dashboard\/test(?:[/?]|$)/)
      if (name === 'href') links.add(path.replaceAll('&amp;', '&'))
    }
  }
  expect(links.size).toBeGreaterThan(20)
  for (const link of links) expect([link, (await browser.get(link)).status]).toEqual([link, 200])
})

test('a form makes a change in the mode that it was shown in', async () => {
  const url = 'https://two-tabs.example/hooks'
  const { html } = await browser.get('/dashboard/test/webhooks')
  const action = /action="(\/dashboard[^"]*\/webhooks)"/.exec(html)?.[1] ?? ''
  await browser.get('/dashboard/webhooks')
  const { status, headers } = await browser.post(action, { url, event_types: 'booking.confirmed' })
  expect([200, 303]).toContain(status)
  expect(headers.get('location') ?? '/dashboard/test/').toContain('/dashboard/test/')
  const { rows } = await doors.db.query(
    'select a.mode from endpoint e join account a on a.id = e.account_id where e.url = $1',
    [url],
  )
  expect(rows).toEqual([{ mode: 'test' }])
})

test('an id from the other mode is recognised, with a link to that mode', async () => {
  const found = await browser.get(`/dashboard/test/bookings/${live.bookingId}`)
  expect(found.status).toBe(404)
  expect(found.html).toContain('<h1>This booking is live</h1>')
  expect(found.html).toContain(`href="/dashboard/bookings/${live.bookingId}">Open it in Live</a>`)
  const test = await browser.get(`/dashboard/bookings/${testId}/cancel`)
  expect([test.status, test.html]).toEqual([404, expect.stringContaining('is in test mode')])
  expect(test.html).toContain(`href="/dashboard/test/bookings/${testId}">Open it in Test</a>`)
  const posted = await browser.post(`/dashboard/bookings/${testId}/cancel`, { by: 'agent' })
  expect([posted.status, posted.html]).toEqual([404, expect.stringContaining('is in test mode')])
  const rows = await doors.db.query(
    `select 'events' as section, e.number::text as id from event e where e.account_id = $1
     union all select 'requests', q.request_id::text from request_log q where q.account_id = $1
     union all select 'deliveries', d.id::text from delivery d where d.account_id = $1
     union all select 'webhooks', w.id::text from endpoint w where w.account_id = $1`,
    [browser.accountId],
  )
  expect(rows.rows.length).toBeGreaterThan(0)
  for (const { section, id } of rows.rows) {
    const { html, status } = await browser.get(`/dashboard/test/${section}/${id}`)
    if (status === 404) expect(html).toContain(`href="/dashboard/${section}/${id}">Open it in`)
  }
})

test('an id of another account is found in neither mode', async () => {
  const stranger = await openBrowser(doors)
  for (const path of ['/dashboard', '/dashboard/test']) {
    const { status, html } = await stranger.get(`${path}/bookings/${live.bookingId}`)
    expect([status, html]).toEqual([404, expect.not.stringContaining('Open it in')])
  }
})

test.each(['/dashboard/%74est/bookings', '/dashboard//test/bookings', '/dashboard/TEST/bookings'])(
  '%s is not a page, rather than one in another mode',
  async (path) => {
    expect((await browser.get(path)).status).toBe(404)
  },
)

test('in test mode, the pages about the account are those of the live account', async () => {
  const { html } = await browser.get('/dashboard/test/members')
  expect(html).toContain(browser.email)
  expect(html).toContain('This page is about your whole account')
  expect((await browser.get('/dashboard/test/keys')).html).toContain('>test</span>')
})

test('in test mode the overview asks for steps of the sandbox, and snippets are live', async () => {
  const fresh = await openBrowser(doors)
  const { html } = await fresh.get('/dashboard/test')
  expect(html).toContain('Make a test booking')
  expect(html).not.toMatch(/Create an API key|Make your first (call|booking)|Upgrade to pro/)
  expect((await fresh.get('/dashboard/test/quickstart')).html).not.toContain('sandbox-closed')
  const { rows } = await doors.db.query(
    'select sandbox_kind from account where live_account_id = $1',
    [fresh.accountId],
  )
  expect(rows).toEqual([{ sandbox_kind: 'default' }])
})

test('after signing in, the requested page opens in its mode', async () => {
  const { headers } = await openVisitor(doors.url).get(`/dashboard/test/bookings/${testId}?x=1`)
  const next = encodeURIComponent(`/dashboard/test/bookings/${testId}?x=1`)
  expect(headers.get('location')).toBe(`/sign-in?next=${next}`)
})

test('a clock opens the dashboard of its sandbox, for its own account alone', async () => {
  const made = await browser.post('/dashboard/clocks', { name: 'December' })
  const [key = ''] = /service_test_[\w-]{43}/.exec(made.html) ?? []
  const path = /href="(\/dashboard\/clocks\/[0-9a-f-]{36})"/.exec(made.html)?.[1] ?? ''
  const id = path.slice(-36)
  const agent = agentWith(doors.url, id, key)
  const booked = await agent.post('/api/bookings', { ...testSlot('sandbox-spa'), wait: 0 })
  await doors.db.query('update test_clock set ahead_ms = $2 where account_id = $1', [
    id,
    30 * 86_400_000,
  ])
  const { html, status } = await browser.get(path)
  expect(status).toBe(200)
  expect(html).toMatch(CURRENT('December'))
  expect(html).toMatch(/<strong>Clock: <time datetime="/)
  expect(html).toContain(`href="${path}/move"`)
  const bookings = await browser.get(`${path}/bookings`)
  expect(bookings.html).toContain(`${path}/bookings/${booked.body.booking.id}`)
  const bookingPath = `bookings/${booked.body.booking.id}`
  expect((await browser.get(`${path}/${bookingPath}`)).status).toBe(200)
  for (const section of ['webhooks', 'deliveries', 'events', 'invoices', 'requests', 'usage']) {
    expect([section, (await browser.get(`${path}/${section}`)).status]).toEqual([section, 200])
  }
  const elsewhere = await browser.get(`/dashboard/${bookingPath}`)
  expect(elsewhere.html).toContain('This booking is of the test clock December')
  expect(elsewhere.html).toContain(`href="${path}/${bookingPath}">Open it in December</a>`)
  const stranger = await openBrowser(doors)
  for (const page of [path, `${path}/bookings`, `${path}/move`, `${path}/${bookingPath}`]) {
    expect([page, (await stranger.get(page)).status]).toEqual([page, 404])
  }
  const deleted = await browser.post(`${path}/delete`)
  expect(deleted.headers.get('location')).toBe('/dashboard/clocks?done=deleted')
})

test('the quickstart of a free account shows a test booking with a new key', async () => {
  const fresh = await openBrowser(doors)
  expect((await fresh.get('/dashboard')).html).toContain('Make a test booking')
  expect((await fresh.get('/dashboard/quickstart')).html).toContain('service_test_YOUR_KEY')
  const { html } = await fresh.post('/dashboard/quickstart/test-key')
  const [key = ''] = /service_test_[\w-]{43}/.exec(html) ?? []
  const agent = agentWith(doors.url, fresh.accountId, key)
  const { body } = await agent.post('/api/bookings', { ...testSlot('sandbox-table'), wait: 0 })
  expect(body.status).toBe('pending')
  expect((await fresh.get('/dashboard')).html).not.toContain('Make a test booking')
})

test('the key form creates a key in the chosen mode', async () => {
  const { html } = await browser.post('/dashboard/keys', { name: 'by form', mode: 'test' })
  expect(html).toMatch(/service_test_[\w-]{43}/)
})

test('deleting the account ends its sandbox', async () => {
  const fresh = await openBrowser(doors)
  const { accountId, key } = await addTestKey(doors.db, fresh.accountId)
  const at = new Date()
  const by = byCommand(fresh.accountId, at)
  const closing = { accountId: fresh.accountId, by, proMonthlyMinor: 4_900 }
  await transaction(doors.db, (tx) =>
    closeAccount(tx, { ...closing, endElsewhere: async () => {}, at }),
  )
  const { rows } = await doors.db.query(
    'select name, deleted_at is not null as is_deleted from account where id = $1',
    [accountId],
  )
  expect(rows).toEqual([{ name: 'deleted account', is_deleted: true }])
  const agent = agentWith(doors.url, accountId, key)
  expect((await agent.get('/api/bookings')).status).toBe(401)
})
