import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertEndpointRow, settle, standing, writeEvents } from '../support/deliveries.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let browser: Browser
let endpoint: string

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())
beforeEach(async () => {
  browser = await openBrowser(doors)
  endpoint = await insertEndpointRow(doors.db, browser.accountId)
})

const page = () => `/dashboard/webhooks/${endpoint}`
const write = (count: number) => writeEvents(doors.db, browser.accountId, count)
const rowsIn = (html: string) => [...html.matchAll(/<tr data-id="([^"]+)"/g)].map(([, id]) => id)

/** Makes every delivery fail once and wait an hour for its next attempt. */
async function fail() {
  await settle(doors.db, endpoint, 'failed')
  await doors.db.query(
    `update delivery set status = 'pending', due_at = now() + interval '1 hour'
     where endpoint_id = $1`,
    [endpoint],
  )
  await doors.db.query('update endpoint set failing_since = now() where id = $1', [endpoint])
}

/** Sends the fields of the form with this action, as a browser without scripts would. */
async function submit(html: string, action: string, more: [string, string][] = []) {
  const [form = ''] = html.split(`action="${action}"`)[1]?.split('</form>') ?? []
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => ({
    type: /type="(\w+)"/.exec(input)?.[1],
    isChecked: input.includes(' checked'),
    field: [/name="(\w+)"/.exec(input)?.[1] ?? '', /value="([^"]*)"/.exec(input)?.[1] ?? ''],
  }))
  const fields = inputs
    .filter(({ type, isChecked }) => type === 'hidden' || isChecked)
    .map(({ field }) => field as [string, string])
  const response = await fetch(doors.url + action, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams([...fields, ...more]),
    headers: { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' },
  })
  return response.headers.get('location') ?? ''
}

test('a failing endpoint is shown as failing on its page, in lists and on every page', async () => {
  await write(2)
  await fail()
  const { html } = await browser.get(page())
  expect(html).toContain('Every attempt has failed since')
  expect(html).toContain('2 waiting for another attempt')
  expect(html).toContain('Retry all failing')
  expect((await browser.get('/dashboard/webhooks')).html).toMatch(/badge bad">failing/)
  const list = (await browser.get('/dashboard/deliveries?status=failing')).html
  expect(rowsIn(list)).toHaveLength(2)
  expect(list).toMatch(/badge bad">failing/)
  for (const other of [
    '/dashboard',
    '/dashboard/keys',
    '/dashboard/bookings',
    '/dashboard/usage',
  ]) {
    const shown = (await browser.get(other)).html
    expect(shown).toContain('is failing.')
    expect(shown).toContain(`href="${page()}"`)
  }
})

test('a healthy endpoint, and one that its owner disabled, are not announced', async () => {
  const quiet = async () =>
    expect((await browser.get('/dashboard/keys')).html).not.toContain('class="notice bad"')
  await quiet()
  await browser.post(`${page()}/disable`)
  await quiet()
  const { html } = await browser.get(page())
  expect(html).not.toContain('class="notice bad"')
  await doors.db.query(`update endpoint set status_reason = 'gone' where id = $1`, [endpoint])
  expect((await browser.get('/dashboard/keys')).html).toContain('was disabled.')
  expect((await browser.get(page())).html).toContain('Fix your receiver, then enable it.')
})

test('one click makes all failing deliveries due, including those that were given up', async () => {
  await write(3)
  await settle(doors.db, endpoint, 'failed', [1])
  await doors.db.query('update delivery set tries = 2 where endpoint_id = $1', [endpoint])
  const { html } = await browser.get(page())
  expect(html).toContain('Also the 1 that failed for good')
  expect(await submit(html, `${page()}/retry`)).toBe(`${page()}?done=retried`)
  const { rows } = await doors.db.query(
    `select (select count(*)::int from delivery where endpoint_id = $1 and tries = 0) as due,
       (select total::int from replay where endpoint_id = $1) as replayed`,
    [endpoint],
  )
  expect(rows).toEqual([{ due: 2, replayed: 1 }])
  expect((await browser.get(`${page()}?done=retried`)).html).toContain('Retrying now')
})

test('chosen deliveries are retried, and the filter stays', async () => {
  await write(3)
  await settle(doors.db, endpoint, 'failed')
  const list = (await browser.get('/dashboard/deliveries?status=failed')).html
  const [first = '', second = ''] = rowsIn(list)
  const action = '/dashboard/deliveries/retry?status=failed'
  const chosen: [string, string][] = [
    ['deliveries', first],
    ['deliveries', second],
  ]
  const to = await submit(list, action, chosen)
  expect(to).toBe('/dashboard/deliveries?status=failed&done=retried')
  expect((await browser.get(to)).html).toContain('The selected deliveries are due now.')
  expect(await standing(doors.db, endpoint)).toEqual([
    [1, 'failed'],
    [2, 'pending'],
    [3, 'pending'],
  ])
  expect(await submit(list, action)).toBe('/dashboard/deliveries?status=failed&done=none')
})

test('a delivery’s page reloads until it is final', async () => {
  await write(1)
  const [id] = rowsIn((await browser.get('/dashboard/deliveries')).html)
  const path = `/dashboard/deliveries/${id}?done=written`
  const live = (await browser.get(path)).html
  expect(live).toContain('<noscript><meta http-equiv="refresh" content="2"></noscript>')
  expect(live).toContain('data-seconds="1"')
  expect(live).toContain('Test event queued.')
  await settle(doors.db, endpoint, 'delivered')
  const final = (await browser.get(path)).html
  expect(final).not.toContain('http-equiv="refresh"')
  expect(final).not.toContain('data-seconds')
  expect(final).not.toContain('Test event queued.')
})

test('the page of a delivery that waits for hours reloads once a minute', async () => {
  await write(1)
  await fail()
  const [id] = rowsIn((await browser.get('/dashboard/deliveries')).html)
  const { html } = await browser.get(`/dashboard/deliveries/${id}?done=failed`)
  expect(html).toContain('content="60"')
  expect(html).toMatch(/class="notice bad" role="status">Sent, but it failed again/)
})

test('the payload is shown formatted, as signed, and as a command', async () => {
  await write(1)
  await settle(doors.db, endpoint, 'delivered')
  const body = '{"name":"O\'Hara <1>","n":1}'
  await doors.db.query('update delivery set body = $2 where endpoint_id = $1', [endpoint, body])
  const [id] = rowsIn((await browser.get('/dashboard/deliveries')).html)
  const { html } = await browser.get(`/dashboard/deliveries/${id}`)
  expect(html).toContain('{&quot;name&quot;:&quot;O&#39;Hara &lt;1&gt;&quot;,&quot;n&quot;:1}')
  expect(html).toMatch(
    /hljs-attr">"name"<\/span>: <span class="hljs-string">"O&#x27;Hara &lt;1&gt;"/,
  )
  expect(html).toContain('--data-raw &#39;{&quot;name&quot;:&quot;O&#39;\\&#39;&#39;Hara')
})

test.each([
  ['', 'The last 24 hours'],
  ['?tab=deliveries', 'Latest deliveries'],
  ['?tab=replays', 'Replay and recover'],
  ['?tab=secrets', 'Signing secrets'],
  ['?tab=settings', 'Delete this endpoint'],
  ['?tab=constructor', 'The last 24 hours'],
])('the endpoint’s page with “%s” shows only that part', async (query, title) => {
  const { html } = await browser.get(page() + query)
  expect(html).toContain(title)
  expect(
    html.match(/aria-current="page">(Overview|Deliveries|Replays|Secrets|Settings)</g),
  ).toHaveLength(1)
  const titles = ['The last 24 hours', 'Latest deliveries', 'Replay and recover', 'Signing secrets']
  expect(titles.filter((one) => html.includes(`<h2>${one}`))).toHaveLength(
    title.startsWith('Delete') ? 0 : 1,
  )
})
