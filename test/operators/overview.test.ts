import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertEndpointRow } from '../support/deliveries.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { makeTraffic } from '../support/traffic.ts'

const PATH = '/dashboard/operators'
const UI = 'https://temporal.example/namespaces/venue-network/workflows'

let doors: Doors
let operator: Browser

beforeAll(async () => {
  doors = await openDoors({ TEMPORAL_UI_URL: 'https://temporal.example' })
  operator = await openBrowser(doors, { isOperator: true })
})
afterAll(() => doors?.close())
beforeEach(() => {
  doors.engine.isDown = false
})

const pages = ['', '/accounts', '/bookings', '/endpoints', '/venues', '/search?q=x']

test('only operators have the pages, and see them in the navigation', async () => {
  const developer = await openBrowser(doors)
  for (const page of pages) {
    expect((await developer.get(PATH + page)).status).toBe(404)
    expect((await operator.get(PATH + page)).status).toBe(200)
  }
  expect((await developer.post(`${PATH}/search`, { q: 'x' })).status).toBe(404)
  expect((await developer.get('/dashboard')).html).not.toContain(PATH)
  expect((await operator.get('/dashboard')).html).toContain(PATH)
})

test('the role has no effect until the address is verified', async () => {
  const squatter = await openBrowser(doors, { isOperator: true })
  await doors.db.query('update developer set verified_at = null where id = $1', [
    squatter.developerId,
  ])
  expect((await squatter.get(PATH)).status).toBe(404)
  expect((await squatter.get('/dashboard')).html).not.toContain(PATH)
})

test('the pages say so when nothing is wrong', async () => {
  expect((await operator.get(`${PATH}/bookings`)).html).toContain('No stuck bookings')
  expect((await operator.get(`${PATH}/endpoints`)).html).toContain('No endpoint is in trouble')
  expect((await operator.get(`${PATH}/venues`)).html).toContain('No venue is connected')
})

test('only operators see links into the Temporal UI, also on pages of an account', async () => {
  for (const [reader, links] of [
    [await openBrowser(doors), false],
    [operator, true],
  ] as const) {
    const { bookingId, endpointId } = await makeTraffic(doors.db, reader.accountId)
    for (const page of [`/bookings/${bookingId}`, `/webhooks/${endpointId}`]) {
      const { html } = await reader.get(`/dashboard${page}`)
      expect(html.includes('Temporal')).toBe(links)
      expect(html.includes(UI)).toBe(links)
    }
  }
})

test('endpoints that fail or were disabled are listed, with their pages', async () => {
  const { db } = doors
  const { endpointId } = await makeTraffic(db, (await openBrowser(doors)).accountId)
  await db.query(`update endpoint set failing_since = now() - interval '2 days' where id = $1`, [
    endpointId,
  ])
  const gone = await insertEndpointRow(db, operator.accountId, { status: 'disabled' })
  await db.query(`update endpoint set status_reason = 'gone' where id = $1`, [gone])
  const own = await insertEndpointRow(db, operator.accountId, { status: 'disabled' })
  await db.query(`update endpoint set status_reason = 'owner' where id = $1`, [own])
  const { html } = await operator.get(`${PATH}/endpoints`)
  expect(html).toContain(endpointId)
  expect(html).toContain(gone)
  expect(html).not.toContain(own)
  const page = await operator.get(`${PATH}/endpoints/${endpointId}`)
  expect(page.html).toContain(`${UI}/webhook%2F${endpointId}`)
  expect(page.html).toContain('failing')
  expect(page.html).not.toContain('said by the receiver')
})

test('connected venues are listed with their health, those in trouble first', async () => {
  const { rows } = await doors.db.query('select slug from venue order by slug limit 3')
  const [good, failing, late] = rows.map(({ slug }) => slug)
  await doors.db.query(
    `insert into connector (venue_id, url, secret, created_at, read_at, failure)
     select id, 'https://' || slug || '.example/connect?token=hidden', 'sealed', now(),
       case when slug = $3 then now() - interval '1 hour' else now() end,
       case when slug = $2 then 'timeout' end
     from venue where slug in ($1, $2, $3)`,
    [good, failing, late],
  )
  const { html } = await operator.get(`${PATH}/venues`)
  const places = [late, failing, good].map((slug) => html.indexOf(`${PATH}/venues/${slug}`))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(html).not.toMatch(/token=hidden|sealed/)
  const page = await operator.get(`${PATH}/venues/${failing}`)
  expect(page.html).toContain('timeout')
  expect(page.html).toContain(encodeURIComponent(`VenueSlug="${failing}"`))
  expect((await operator.get(`${PATH}/venues/no-such`)).status).toBe(404)
  expect((await operator.get(PATH)).html).toMatch(/<strong>2<\/strong>\s+connected venues/)
})
