import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertBareBooking } from '../support/bare-booking.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { makeTraffic, type Traffic } from '../support/traffic.ts'

let doors: Doors
let browser: Browser
let made: Traffic
let path: string

beforeAll(async () => {
  doors = await openDoors({
    TEMPORAL_UI_URL: 'https://temporal.example/ui/',
    TEMPORAL_NAMESPACE: 'my network',
  })
  browser = await openBrowser(doors, { tier: 'pro' })
  made = await makeTraffic(doors.db, browser.accountId)
  path = `/dashboard/bookings/${made.bookingId}`
})
afterAll(() => doors?.close())

test('the list shows a booking under matching filters, and says so when none matches', async () => {
  const all = (await browser.get('/dashboard/bookings')).html
  expect(all).toContain(path)
  expect((await browser.get('/dashboard/bookings?status=confirmed&venue=')).html).toContain(path)
  const none = (await browser.get('/dashboard/bookings?status=cancelled')).html
  expect(none).not.toContain(path)
  expect(none).toContain('No bookings match')
  expect(none).toMatch(/<option value="cancelled" selected>/)
})

test('the venue filter takes a name; an unknown one is an error at its field', async () => {
  const { rows } = await doors.db.query(
    'select v.name, v.slug from venue v join booking b on b.venue_id = v.id where b.id = $1',
    [made.bookingId],
  )
  const [{ name, slug }] = rows
  for (const venue of [name, name.toUpperCase(), slug]) {
    const { html } = await browser.get(`/dashboard/bookings?venue=${encodeURIComponent(venue)}`)
    expect(html).toContain(path)
  }
  const { status, html } = await browser.get('/dashboard/bookings?status=confirmed&venue=No+such')
  expect(status).toBe(404)
  expect(html).toMatch(/value="No such"[^>]* aria-invalid="true" aria-describedby="\S+-error"/)
  expect(html).toContain('No venue has this name, slug or id.')
  expect(html).toContain('<option value="confirmed" selected>')
  expect(html).toContain(
    'href="/dashboard/bookings?status=confirmed" aria-label="Remove the filter',
  )
})

test('the list is paged under its filter', async () => {
  const busy = await openBrowser(doors, { tier: 'pro' })
  for (let n = 0; n < 21; n += 1) await insertBareBooking(doors.db, busy.accountId)
  const first = (await busy.get('/dashboard/bookings?status=failed')).html
  const next = /href="([^"]+)" rel="next"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(next).toMatch(/^\/dashboard\/bookings\?status=failed&cursor=/)
  const second = (await busy.get(next)).html
  expect(second.match(/href="\/dashboard\/bookings\/[0-9a-f]{8}-/g)).toHaveLength(1)
  expect(second).not.toContain('rel="next"')
})

test('a booking shows its fee, its verified timeline and its events', async () => {
  const { html } = await browser.get(path)
  expect(html).toContain('The booking was confirmed. Its fee was recorded.')
  expect(html).toMatch(/<span class="badge good">verified<\/span> All 2 entries/)
  expect(html).toMatch(/<dt>Fee<\/dt><dd>[A-Z]{3} [\d,.]+ \(2.5 %\)/)
  expect(html).toContain('booking.confirmed')
  expect(html).toContain('fee.accrued')
  expect(html).not.toContain('temporal.example')
})

test('a booking shows what was booked, and what the party pays the venue', async () => {
  await doors.db.query(
    `with named as (update service set name = 'Tables'
         where id = (select service_id from booking where id = $1) returning id, rule_version)
     insert into service_rules (service_id, version, created_at, rules)
     select service_id, 99, created_at, rules || '{"price":
       {"amount_minor": 10000000, "per": "guest", "taxes": "excluded"}}'
     from service_rules r join named n on (n.id, n.rule_version) = (r.service_id, r.version)`,
    [made.bookingId],
  )
  await doors.db.query(`update booking set rule_version = 99 where id = $1`, [made.bookingId])
  const { html } = await browser.get(path)
  expect(html).toMatch(/<dt>Service<\/dt><dd>Table, \d+ min/)
  expect(html).toMatch(/PHP 100,000 per guest, PHP 200,000 for 2 guests, plus tax .*, paid to/)
})

test('a timeline that was tampered with is shown as not verified', async () => {
  const forged = await makeTraffic(doors.db, browser.accountId)
  await doors.db.query(
    `update booking set timeline_head = decode(repeat('ab', 32), 'hex') where id = $1`,
    [forged.bookingId],
  )
  const { html } = await browser.get(`/dashboard/bookings/${forged.bookingId}`)
  expect(html).toContain('not verified')
  expect(html).toContain('the network does not vouch for them')
})

test('cancelling first shows its cost, and then happens once', async () => {
  const { html } = await browser.get(`${path}/cancel`)
  expect(html).toMatch(/<dt>Cancelling costs<\/dt><dd>[A-Z]{3} [\d,.]+/)
  const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const { status, headers } = await browser.post(`${path}/cancel`, { form, by: 'guest' })
  expect(status).toBe(303)
  expect(headers.get('location')).toBe(`${path}?done=asked`)
  expect((await browser.get(`${path}?done=asked`)).html).toContain('role="status"')
  await browser.post(`${path}/cancel`, { form, by: 'guest' })
  const { rows } = await doors.db.query('select kind, input from command where booking_id = $1', [
    made.bookingId,
  ])
  expect(rows).toEqual([{ kind: 'cancel', input: { by: 'guest' } }])
})
