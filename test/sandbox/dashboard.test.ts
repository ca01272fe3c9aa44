import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAccount } from '../../src/accounts/steps/close-account.ts'
import { byCommand } from '../../src/contract/audit.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { agentWith } from '../support/agent.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
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

const switchTo = (mode: string, by = browser) => by.post('/dashboard/mode', { mode })
const PRESSED = (mode: string) => new RegExp(`value="${mode}"[^>]*aria-pressed="true"`)

test('the switch shows the sandbox until it is switched back, without scripts', async () => {
  const before = await browser.get('/dashboard/bookings')
  expect(before.html).toMatch(PRESSED('live'))
  expect(before.html).not.toContain('Test mode.')
  expect(before.html).toContain(live.bookingId)
  expect(before.html).not.toContain(testId)

  const switched = await switchTo('test')
  expect([switched.status, switched.headers.get('location')]).toEqual([303, '/dashboard'])
  const during = await browser.get('/dashboard/bookings')
  expect(during.html).toMatch(PRESSED('test'))
  expect(during.html).toContain('Test mode.')
  expect(during.html).toContain('Sandbox Spa')
  expect(during.html).not.toContain(live.bookingId)
  expect((await browser.get('/dashboard/webhooks')).html).toContain('sandbox.example')
  expect((await browser.get(`/dashboard/bookings/${live.bookingId}`)).status).toBe(404)

  await switchTo('live')
  expect((await browser.get('/dashboard/webhooks')).html).not.toContain('sandbox.example')
  expect((await browser.get(`/dashboard/bookings/${testId}`)).status).toBe(404)
})

test('in test mode the pages about the account are those of the live one', async () => {
  await switchTo('test')
  const { html } = await browser.get('/dashboard/members')
  expect(html).toContain(browser.email)
  expect(html).not.toContain('Test mode.')
  const keys = await browser.get('/dashboard/keys')
  expect(keys.html).toContain('>test</span>')
  await switchTo('live')
})

test('in test mode the overview asks for steps of the sandbox, and snippets are live', async () => {
  const fresh = await openBrowser(doors)
  await switchTo('test', fresh)
  const { html } = await fresh.get('/dashboard')
  expect(html).toContain('Make a test booking')
  expect(html).not.toMatch(/Create an API key|Make your first (call|booking)|Upgrade to pro/)
  expect((await fresh.get('/dashboard/quickstart')).html).not.toContain('sandbox-closed')
})

test('a session of one member does not switch that of another', async () => {
  const other = await openMember(doors, browser.accountId, 'developer')
  await switchTo('test', other)
  expect((await browser.get('/dashboard')).html).toMatch(PRESSED('live'))
  expect((await other.get('/dashboard')).html).toMatch(PRESSED('test'))
})

test('the first switch opens the sandbox, and a wrong mode is refused', async () => {
  const fresh = await openBrowser(doors)
  expect((await switchTo('loud', fresh)).status).toBe(400)
  await switchTo('test', fresh)
  const { html } = await fresh.get('/dashboard')
  expect(html).toContain('Test mode.')
  const { rows } = await doors.db.query(
    'select sandbox_kind from account where live_account_id = $1',
    [fresh.accountId],
  )
  expect(rows).toEqual([{ sandbox_kind: 'default' }])
})

test('the quickstart has a test booking for a free account, with a new key in it', async () => {
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

test('a key form makes a key of the chosen mode', async () => {
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
