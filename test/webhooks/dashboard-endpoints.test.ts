import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertEndpointRow } from '../support/deliveries.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

const SECRET = /whsec_[A-Za-z0-9+/=]{20,}/

let doors: Doors
let browser: Browser

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())
beforeEach(async () => {
  browser = await openBrowser(doors)
  doors.engine.sentNow = 'pending'
})

const url = 'https://receiver.example/hooks'

/** Sends a form in which a name may occur more than once. */
async function send(path: string, fields: [string, string][]) {
  const response = await fetch(doors.url + path, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers: { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' },
  })
  return { status: response.status, html: await response.text(), headers: response.headers }
}

const stored = async (id: string) =>
  (await doors.db.query('select * from endpoint where id = $1', [id])).rows[0]

async function make(fields: [string, string][] = []): Promise<string> {
  const { html } = await send('/dashboard/webhooks', [
    ['url', url],
    ['event_types', '*'],
    ...fields,
  ])
  return /\/dashboard\/webhooks\/([0-9a-f-]{36})\/verify/.exec(html)?.[1] ?? ''
}

test('the form creates an endpoint and shows its secret once', async () => {
  const { html } = await browser.get('/dashboard/webhooks')
  const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const fields: [string, string][] = [
    ['form', form],
    ['url', url],
    ['description', 'Front desk'],
    ['event_types', 'booking.*'],
    ['event_types', 'fee.accrued'],
    ['rate', '20'],
    ['fifo', 'on'],
  ]
  const made = await send('/dashboard/webhooks', fields)
  expect(made.status).toBe(200)
  expect(made.headers.get('cache-control')).toBe('no-store')
  expect(made.html).toMatch(SECRET)
  const again = await send('/dashboard/webhooks', fields)
  expect(again.html).not.toMatch(SECRET)
  expect(again.html).toContain('This form was already submitted')
  const { rows } = await doors.db.query('select * from endpoint where account_id = $1', [
    browser.accountId,
  ])
  expect(rows).toMatchObject([
    {
      url,
      description: 'Front desk',
      event_types: ['booking.*', 'fee.accrued'],
      rate_per_second: 20,
      is_fifo: true,
    },
  ])
  expect((await browser.get(`/dashboard/webhooks/${rows[0].id}`)).html).not.toMatch(SECRET)
})

test('an undeliverable address is refused in the form, which keeps the input', async () => {
  const refused = await send('/dashboard/webhooks', [
    ['url', 'http://10.0.0.1/hooks'],
    ['description', 'Mine & yours'],
    ['event_types', 'fee.*'],
  ])
  expect(refused.status).toBe(422)
  expect(refused.html).toContain('role="alert"')
  expect(refused.html).toContain('value="http://10.0.0.1/hooks"')
  expect(refused.html).toContain('value="Mine &amp; yours"')
  expect(refused.html).toMatch(/value="fee\.\*" checked/)
})

test('pausing, resuming, disabling and enabling redirect back with a notice', async () => {
  const id = await insertEndpointRow(doors.db, browser.accountId)
  const path = `/dashboard/webhooks/${id}`
  const steps = [
    ['pause', {}, 'paused', 'paused'],
    ['resume', { held: 'discard', sure: 'yes' }, 'opened', 'active'],
    ['disable', {}, 'disabled', 'disabled'],
    ['enable', { held: 'release' }, 'opened', 'active'],
  ] as const
  for (const [word, fields, done, status] of steps) {
    const { headers } = await browser.post(`${path}/${word}`, fields)
    expect(headers.get('location')).toBe(`${path}?done=${done}`)
    expect((await stored(id)).status).toBe(status)
    expect((await browser.get(`${path}?done=${done}`)).html).toContain('role="status"')
  }
  for (const untrue of ['paused', 'disabled', 'unverified', 'moved']) {
    const { html } = await browser.get(`${path}?done=${untrue}`)
    expect(html).not.toContain('role="status"')
  }
  const { status, html } = await browser.post(`${path}/resume`, { held: 'maybe' })
  expect(status).toBe(400)
  expect(html).toContain('role="alert"')
})

test('verifying shows the outcome, and a challenge read in a log can be submitted', async () => {
  const id = await make()
  const path = `/dashboard/webhooks/${id}`
  doors.engine.sentNow = {
    id: '0197a1f0-0000-7000-8000-000000000000',
    status: 'failed',
    http_status: 503,
    failure: 'server_error',
    ms: 12,
  }
  const tried = await browser.post(`${path}/verify`)
  expect(tried.status).toBe(200)
  expect(tried.html).toContain(
    'Not verified yet. The challenge did not arrive: HTTP 503 after 12 ms.',
  )
  expect((await browser.post(`${path}/verify`, { challenge: 'wrong' })).status).toBe(422)
  const { challenge } = await stored(id)
  expect((await browser.post(`${path}/verify`, { challenge })).html).toContain('URL verified')
  expect((await stored(id)).status).toBe('active')
})

test('a test event redirects to its delivery, the same one when the form is resent', async () => {
  const id = await insertEndpointRow(doors.db, browser.accountId)
  const fields = { form: '0197a1f0-0000-7000-8000-00000000000a', note: 'hello' }
  const first = await browser.post(`/dashboard/webhooks/${id}/test`, fields)
  const location = first.headers.get('location') ?? ''
  expect(location).toMatch(/^\/dashboard\/deliveries\/[0-9a-f-]{36}\?done=written$/)
  const second = await browser.post(`/dashboard/webhooks/${id}/test`, fields)
  expect(second.headers.get('location')).toBe(location)
  expect((await browser.get(location)).html).toContain('Test event queued')
})

test('a settings change keeps hidden fields, and a new URL must be verified', async () => {
  const id = await insertEndpointRow(doors.db, browser.accountId, { headerNames: [] })
  const path = `/dashboard/webhooks/${id}`
  const same = await send(`${path}/update`, [
    ['url', url],
    ['description', 'Renamed'],
    ['event_types', 'booking.*'],
  ])
  expect(same.headers.get('location')).toBe(`${path}?done=updated`)
  expect(await stored(id)).toMatchObject({ description: 'Renamed', status: 'active' })
  const moved = await send(`${path}/update`, [
    ['url', 'https://other.example/hooks'],
    ['event_types', '*'],
  ])
  expect(moved.headers.get('location')).toBe(`${path}?done=moved`)
  expect(await stored(id)).toMatchObject({
    status: 'unverified',
    url: 'https://other.example/hooks',
  })
})

test('refused settings stay in the form, and nothing changes', async () => {
  const id = await insertEndpointRow(doors.db, browser.accountId)
  const refused = await send(`/dashboard/webhooks/${id}/update`, [
    ['url', url],
    ['description', 'Typed with care'],
    ['event_types', 'fee.*'],
    ['rate', '5000'],
  ])
  expect(refused.status).toBe(400)
  expect(refused.html).toMatch(/tab=settings" aria-current="page"/)
  expect(refused.html).toMatch(/role="alert">deliveries a second: /)
  expect(refused.html).not.toContain('/rate_per_second')
  expect(refused.html).toContain('value="Typed with care"')
  expect((await stored(id)).description).toBe('')
})

test('secrets are rotated, staged, force-activated and revoked, each shown once', async () => {
  const id = await make()
  const path = `/dashboard/webhooks/${id}`
  const rotate = { form: '0197a1f0-0000-7000-8000-00000000000b', overlap: '48' }
  const rotated = await browser.post(`${path}/rotate`, rotate)
  expect(rotated.html).toMatch(SECRET)
  expect((await browser.post(`${path}/rotate`, rotate)).html).not.toMatch(SECRET)
  expect((await browser.get(`${path}?tab=secrets`)).html).toContain('expiring')
  expect((await browser.post(`${path}/rotate`, { staged: 'on' })).html).toContain(
    'test events only',
  )
  const { html } = await browser.get(`${path}?tab=secrets`)
  const key = /name="key" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const at0 = { key, force: 'on', overlap: '0', sure: 'yes' }
  const activated = await browser.post(`${path}/activate`, at0)
  expect(activated.headers.get('location')).toBe(`${path}?done=activated`)
  expect((await browser.get(`${path}/revoke`)).html).toContain('Revoke all secrets?')
  expect((await browser.post(`${path}/revoke`)).html).toMatch(SECRET)
  const { rows } = await doors.db.query('select id from signing_key where endpoint_id = $1', [id])
  expect(rows).toHaveLength(1)
})

test('every field has its own id and label, with a staged secret too', async () => {
  const id = await make()
  await browser.post(`/dashboard/webhooks/${id}/rotate`, { staged: 'on' })
  const { html } = await browser.get(`/dashboard/webhooks/${id}?tab=secrets`)
  expect(html).toContain('Activate the staged secret')
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, one]) => one)
  expect(ids).toEqual([...new Set(ids)])
  const labelled = [...html.matchAll(/<label for="([^"]+)"/g)].map(([, one]) => one)
  expect(labelled).toEqual([...new Set(labelled)])
  expect(html.match(/name="overlap"/g)).toHaveLength(2)
})

test('deleting asks for confirmation, then removes the endpoint', async () => {
  const id = await insertEndpointRow(doors.db, browser.accountId)
  const path = `/dashboard/webhooks/${id}`
  expect((await browser.get(`${path}/delete`)).html).toMatch(/<h1>Delete [^<]+\?<\/h1>/)
  const { headers } = await browser.post(`${path}/delete`)
  expect(headers.get('location')).toBe('/dashboard/webhooks?done=deleted')
  expect((await browser.get(path)).status).toBe(404)
  expect((await browser.get('/dashboard/webhooks?done=deleted')).html).toContain(
    'Endpoint deleted.',
  )
})

test('a cross-site form changes nothing', async () => {
  const id = await insertEndpointRow(doors.db, browser.accountId)
  const foreign = { 'sec-fetch-site': 'cross-site' }
  const { status } = await browser.post(`/dashboard/webhooks/${id}/delete`, {}, foreign)
  expect(status).toBe(403)
  expect((await stored(id)).deleted_at).toBeNull()
})

test('members who cannot change endpoints neither see nor find a URL’s query', async () => {
  const url = 'HTTPS://hooks.example/in?token=hunter2hunter2'
  await browser.post('/dashboard/webhooks', { url, event_types: '*', form: crypto.randomUUID() })
  const { rows } = await doors.db.query('select id from endpoint where url = $1', [url])
  const id = rows[0].id as string
  await browser.post(`/dashboard/webhooks/${id}`, { url: `${url}more`, event_types: '*' })
  const pages = [
    '/dashboard/webhooks',
    ...['', '?tab=settings', '?tab=secrets', '?tab=deliveries'].map(
      (tab) => `/dashboard/webhooks/${id}${tab}`,
    ),
    ...['/dashboard/audit', '/dashboard/deliveries', '/dashboard/exports/deliveries.csv'],
    '/dashboard/search?q=hooks.example',
  ]
  const reader = await openMember(doors, browser.accountId, 'read-only')
  for (const page of pages) expect((await reader.get(page)).html, page).not.toContain('hunter2')
  expect((await reader.get('/dashboard/webhooks')).html).toContain('HTTPS://hooks.example/in?…')
  expect((await reader.get('/dashboard/audit')).html).toContain('HTTPS://hooks.example/in?…')
  expect((await browser.get('/dashboard/webhooks')).html).toContain('token=hunter2')
  const match = await reader.get('/dashboard/search?q=hunter2hunter2')
  expect([match.status, match.html.includes(id)]).toEqual([200, false])
})
