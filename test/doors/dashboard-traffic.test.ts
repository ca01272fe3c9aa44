import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { formsOf, lists, makeTraffic, pagesOf, type Traffic } from '../support/traffic.ts'

const HOSTILE = `"><img src=x onerror=alert(1)>'&<script>alert(2)</script>`
const EMPTY_PAGE_BYTES = 60_000

let doors: Doors
let browser: Browser
let made: Traffic

beforeAll(async () => {
  doors = await openDoors()
  browser = await openBrowser(doors, { tier: 'pro' })
  made = await makeTraffic(doors.db, browser.accountId)
})
afterAll(() => doors?.close())

test('every page of a busy account loads without inline scripts or styles', async () => {
  for (const path of [...lists, ...pagesOf(made)]) {
    const { status, html } = await browser.get(path)
    expect([path, status]).toEqual([path, 200])
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/)
    expect(html.match(/<h1>/g)).toHaveLength(1)
  }
})

test('every list of an empty account loads, is small, and suggests the next step', async () => {
  const newcomer = await openBrowser(doors)
  for (const path of lists) {
    const { status, html } = await newcomer.get(path)
    expect([path, status]).toEqual([path, 200])
    expect(Buffer.byteLength(html)).toBeLessThan(EMPTY_PAGE_BYTES)
  }
  expect((await newcomer.get('/dashboard/bookings')).html).toContain('Send your first request')
  expect((await newcomer.get('/dashboard/deliveries')).html).toContain('Create an endpoint')
})

test('every page and form of the account is 404 for another account', async () => {
  const other = await openBrowser(doors, { tier: 'pro' })
  for (const path of pagesOf(made)) {
    const { status, html } = await other.get(path)
    expect([path, status]).toEqual([path, 404])
    expect(html).not.toContain('receiver.example')
  }
  for (const path of formsOf(made)) {
    expect([path, (await other.post(path)).status]).toEqual([path, 404])
  }
  for (const path of lists) {
    const { html } = await other.get(path)
    for (const id of Object.values(made).slice(0, 3)) expect(html).not.toContain(id)
  }
  const filtered = await other.get(`/dashboard/deliveries?endpoint=${made.endpointId}`)
  expect(filtered.status).toBe(404)
})

test('an unknown id is a 404 page and a malformed id a 400 page', async () => {
  expect((await browser.get('/dashboard/bookings/nothing')).status).toBe(400)
  expect((await browser.get('/dashboard/events/999999')).status).toBe(404)
  expect((await browser.get('/dashboard/events/zero')).status).toBe(404)
  const { html } = await browser.get('/dashboard/bookings?cursor=%22')
  expect(html).toContain('href="/errors#invalid_cursor"')
})

describe('with markup in names, addresses, payloads and answers', () => {
  test('no page executes any of it', async () => {
    const { db } = doors
    const victim = await openBrowser(doors, { tier: 'pro' })
    const theirs = await makeTraffic(db, victim.accountId)
    const { rows } = await db.query(
      `update venue set name = $1 where id = (select venue_id from booking where id = $2)
       returning id`,
      [HOSTILE, theirs.bookingId],
    )
    expect(rows).toHaveLength(1)
    await db.query('update endpoint set url = $1, description = $2 where id = $3', [
      `https://evil.example/${HOSTILE}`,
      HOSTILE,
      theirs.endpointId,
    ])
    await db.query('update event set data = $1 where account_id = $2', [
      JSON.stringify({ [HOSTILE]: HOSTILE, endpoint_id: HOSTILE }),
      victim.accountId,
    ])
    await db.query('update delivery set body = $1 where endpoint_id = $2', [
      JSON.stringify({ text: HOSTILE }),
      theirs.endpointId,
    ])
    await db.query(
      `update attempt set response_body = $1, response_headers = $2, failure = $1, url = $1,
       next_rule = $1
       where endpoint_id = $3`,
      [HOSTILE, JSON.stringify({ [HOSTILE]: HOSTILE }), theirs.endpointId],
    )
    const query = `?status=failed&type=booking.*&done=${encodeURIComponent(HOSTILE)}`
    for (const path of [...lists, ...pagesOf(theirs), `/dashboard/deliveries${query}`]) {
      const { html } = await victim.get(path)
      expect(html).not.toMatch(/<img|<script>/)
    }
    expect((await victim.get(pagesOf(theirs)[0] ?? '')).html).toContain('&lt;img')
    expect((await victim.get(`/dashboard/deliveries/${theirs.deliveryId}`)).html).toContain(
      '&lt;img',
    )
    await db.query('update venue set name = $1 where id = $2', ['Seroja', rows[0].id])
  })

  test('a filter’s value is echoed as text', async () => {
    const said = encodeURIComponent(HOSTILE)
    for (const path of [
      `/dashboard/bookings?venue=${said}`,
      `/dashboard/bookings?from=${said}`,
      `/dashboard/deliveries?from=${said}`,
      `/dashboard/events?types=${said}`,
      `/dashboard/webhooks/${made.endpointId}/replay?way=failures&failed_since=${said}`,
    ]) {
      const { status, html } = await browser.get(path)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(html).not.toMatch(/<img|<script>/)
    }
  })
})
