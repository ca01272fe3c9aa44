import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertEndpointRow } from '../support/deliveries.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { makeTraffic } from '../support/traffic.ts'

const PATH = '/dashboard/operators'

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

test('only operators have the page, and see it in the navigation', async () => {
  const developer = await openBrowser(doors)
  expect((await developer.get(PATH)).status).toBe(404)
  expect((await developer.get('/dashboard')).html).not.toContain(PATH)
  expect((await operator.get(PATH)).status).toBe(200)
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

test('it says so when nothing is wrong', async () => {
  const { html } = await operator.get(PATH)
  expect(html).toContain('None overdue by more than 5 minutes.')
  expect(html).toContain('None is late or failing.')
})

test('it shows failures of any account, with links to the Temporal UI', async () => {
  const { db } = doors
  const { bookingId, endpointId } = await makeTraffic(db, (await openBrowser(doors)).accountId)
  await db.query(`update booking set next_action_at = now() - interval '6 minutes' where id = $1`, [
    bookingId,
  ])
  await db.query(`update endpoint set failing_since = now() - interval '2 days' where id = $1`, [
    endpointId,
  ])
  const gone = await insertEndpointRow(db, operator.accountId, { status: 'disabled' })
  await db.query(`update endpoint set status_reason = 'gone' where id = $1`, [gone])
  const own = await insertEndpointRow(db, operator.accountId, { status: 'disabled' })
  await db.query(`update endpoint set status_reason = 'owner' where id = $1`, [own])
  await db.query(
    `insert into connector (venue_id, url, secret, created_at, read_at, failure)
     select id, 'https://venue.example', '', now(), now(), 'timeout' from venue order by slug
       limit 1`,
  )
  const { html } = await operator.get(PATH)
  const workflows = 'https://temporal.example/namespaces/venue-network/workflows'
  expect(html).toContain(`${workflows}/booking%2F${bookingId}`)
  expect(html).toContain(`${workflows}/webhook%2F${endpointId}`)
  expect(html).toContain(`${workflows}/webhook%2F${gone}`)
  expect(html).not.toContain(own)
  expect(html).toContain('timeout')
  expect(html).toContain('1 failed')
})

test('without the Temporal server it still shows the rest', async () => {
  doors.engine.isDown = true
  const { status, html } = await operator.get(PATH)
  expect(status).toBe(200)
  expect(html).toContain('The Temporal server is not responding.')
})
