import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { sendDue } from '../../src/webhooks/sender/send-due.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { dumpRows } from '../support/dump-rows.ts'
import { type MadeEndpoint, makeEndpoint, putEvent } from '../support/endpoints.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { storeSender } from '../support/sender-store.ts'

const path = '/dashboard/webhooks/verify'

let doors: Doors
let browser: Browser
let endpoint: MadeEndpoint
let prefilled: string

/** A delivery sent and signed by the sender itself. */
beforeAll(async () => {
  doors = await openDoors()
  browser = await openBrowser(doors)
  const { db, sealer } = doors
  endpoint = await makeEndpoint(db, sealer, {
    accountId: browser.accountId,
    url: 'https://agent.example/hooks',
    eventTypes: ['*'],
  })
  await putEvent(db, browser.accountId, { name: 'Café' })
  const sender = storeSender(db, () => ({ status: 200 }))
  const order = { breaker: null, concurrency: 5, paceAt: 0, provedAt: null, seed: 7 }
  const { signal } = new AbortController()
  await sendDue({ ...sender.deps, sealer }, endpoint, { ...order, at: Date.now() }, signal)
  const { rows } = await db.query('select id from delivery')
  const { html } = await browser.get(`/dashboard/deliveries/${rows[0].id}`)
  prefilled = /href="(\/dashboard\/webhooks\/verify\?[^"]+)"/.exec(html)?.[1] ?? ''
})
afterAll(() => doors?.close())

const text = (markup = '') =>
  markup
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')

/** The form that the delivery's page links to, as filled in by that link. */
async function form() {
  const { html } = await browser.get(text(prefilled))
  const area = (name: string) =>
    text(new RegExp(`name="${name}"[^>]*>([^<]*)</textarea>`).exec(html)?.[1])
  const received = /name="received"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? ''
  return { headers: area('headers'), body: area('body'), received }
}

const outcomes = (html: string) =>
  [...html.matchAll(/badge \w+">(passed|failed|skipped)</g)].map(([, word]) => word)

test('the shown signature was sent: the independent package accepts it', async () => {
  const { headers, body } = await form()
  const entries = headers.split('\n').map((line) => line.split(': ') as [string, string])
  expect(new Webhook(endpoint.secret).verify(body, Object.fromEntries(entries))).toMatchObject({
    data: { name: 'Café' },
  })
})

test('a delivery passes with its secret, and nothing is stored or repeated', async () => {
  const secret = newSigningSecret()
  const right = await browser.post(path, { ...(await form()), secret: endpoint.secret })
  expect(outcomes(right.html)).toEqual(Array(5).fill('passed'))
  expect(right.html).toContain('A receiver with this secret accepts the request.')
  const wrong = await browser.post(path, { ...(await form()), secret })
  expect(outcomes(wrong.html)).toEqual(['passed', 'passed', 'passed', 'passed', 'failed'])
  expect(wrong.html).toContain('The body is what we sent, so the secret is wrong')
  expect(wrong.html).not.toContain(secret)
  expect(right.html).not.toContain(endpoint.secret)
  expect(await dumpRows(doors.db)).not.toContain(secret)
})

test('a body that was parsed and written again is told from a wrong secret', async () => {
  const { secret } = endpoint
  const filled = await form()
  const changed = JSON.stringify(JSON.parse(filled.body), null, 2).replaceAll('\n', '\r\n')
  const { html } = await browser.post(path, { ...filled, body: changed, secret })
  expect(html).toContain('The secret is right, but the body is not what we sent.')
  expect(text(html)).toContain('It differs at character 2: we sent "\\"id\\":')
})

test('the body of another account is not looked up', async () => {
  const stranger = await openBrowser(doors)
  const { html } = await stranger.post(path, { ...(await form()), secret: newSigningSecret() })
  expect(html).toContain('No signature matches')
  expect((await stranger.get(text(prefilled))).status).toBe(404)
})

test('an empty form says what is missing', async () => {
  const { status, html } = await browser.post(path, {})
  expect(status).toBe(200)
  expect(outcomes(html)).toEqual(['failed', 'failed', 'failed', 'failed', 'skipped'])
  expect(html).toContain('Missing: webhook-id, webhook-timestamp, webhook-signature.')
})

test('a form for any size of event is taken', async () => {
  const { status } = await browser.post(path, { ...(await form()), body: 'é'.repeat(30_000) })
  expect(status).toBe(200)
})
