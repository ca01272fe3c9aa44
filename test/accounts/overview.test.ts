import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { updateVerified } from '../../src/accounts/store/developers.ts'
import { insertBareBooking } from '../support/bare-booking.ts'
import { insertEndpointRow, writeLedger } from '../support/deliveries.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { addKey, bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'

let doors: Doors
let browser: Browser
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())
beforeEach(async () => {
  browser = await openBrowser(doors, { tier: 'pro' })
})

const home = async () => (await browser.get('/dashboard')).html

/** Logs refused calls by the account, `minutes` ago. */
const logRefusals = (code: string, count: number, minutes = 5) =>
  doors.db.query(
    `insert into request_log (account_id, at, request_id, door, operation, code, ms, calls)
     select $1, now() - $4 * interval '1 minute', gen_random_uuid(), 'rest', 'search venues', $2,
       1, 1 from generate_series(1, $3)`,
    [browser.accountId, code, count, minutes],
  )

/** A confirmed booking that starts in this many hours, at a venue in this time zone. */
async function book(hours: number, timezone = 'Asia/Makassar') {
  const id = await insertBareBooking(doors.db, browser.accountId)
  await doors.db.query(
    `update booking b set status = 'confirmed', next_action_at = now(), venue_id = v.id,
       starts_at = s.at, ends_at = s.at + interval '2 hours',
       slot_time = s.at at time zone a.timezone
     from (select now() + $2 * interval '1 hour' as at) s,
       (select v.id, v.area_slug from venue v join area a on a.slug = v.area_slug
        where a.timezone = $3 order by v.slug limit 1) v join area a on a.slug = v.area_slug
     where b.id = $1`,
    [id, hours, timezone],
  )
  return id
}

describe('what to do next', () => {
  test('lists each step until it is done, and keeps the quickstart within reach', async () => {
    const before = await home()
    for (const step of ['Verify your email', 'Create an API key', 'first call', 'first booking']) {
      expect(before).toContain(step)
    }
    await updateVerified(doors.db, browser.developerId, new Date())
    const { keyId } = await addKey(doors.db, browser.accountId)
    const between = await home()
    expect(between).not.toContain('Verify your email')
    expect(between).not.toContain('Create an API key')
    expect(between).toContain('Make your first call')
    await doors.db.query(
      "update api_key set last_used_at = now(), last_used_door = 'rest' where id = $1",
      [keyId],
    )
    await book(3)
    await insertEndpointRow(doors.db, browser.accountId)
    const after = await home()
    expect(after).not.toContain('What to do next')
    expect(after).toContain('href="/dashboard/quickstart"')
  })

  test('offers pro to a free account only, on the quickstart too', async () => {
    for (const path of ['/dashboard', '/dashboard/quickstart', '/dashboard/usage']) {
      expect((await browser.get(path)).html).not.toContain('Upgrade')
    }
    const free = await openBrowser(doors)
    expect((await free.get('/dashboard')).html).toContain('Upgrade to pro')
    expect((await free.get('/dashboard/quickstart')).html).toContain('Upgrade to pro')
  })
})

describe('the overview', () => {
  test('counts today’s bookings by the date at the venue, and upcoming ones', async () => {
    const now = Date.now()
    const soon = await book(0.001)
    const later = await book(72)
    await book(24 * 30)
    const { key } = await addKey(doors.db, browser.accountId)
    const response = await fetch(`${doors.url}/api/overview`, { headers: bearer(key) })
    const { bookings } = await jsonOf(response)
    expect(bookings).toMatchObject({ today: 1, next_7_days: 1 })
    const ids = bookings.ahead.map(({ id }: { id: string }) => id)
    expect(ids).toContain(later)
    expect(Date.parse(bookings.ahead[0].starts_at)).toBeGreaterThan(now - 1)
    const html = await home()
    expect(html).toContain('Today is the date at each venue')
    expect(html).toContain('Asia/Makassar')
    expect(html).toContain(`/dashboard/bookings/${later}`)
    expect(soon).not.toBe(later)
  })

  test('orders bookings in different time zones by when they begin', async () => {
    const third = await book(31, 'Asia/Jakarta')
    const first = await book(29.5, 'Asia/Makassar')
    const second = await book(30, 'Asia/Jakarta')
    const html = await home()
    const places = [first, second, third].map((id) => html.indexOf(id))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  test('counts the refusals of the last 24 hours by reason', async () => {
    await logRefusals('slot_unavailable', 3)
    await logRefusals('venue_not_found', 1)
    await logRefusals('rate_limited', 5, 25 * 60)
    const html = await home()
    expect(html).toMatch(/3 × <code>slot_unavailable<\/code>/)
    expect(html).toMatch(/1 × <code>venue_not_found<\/code>/)
    expect(html).toContain('href="/dashboard/requests?code=slot_unavailable"')
    expect(html).not.toContain('rate_limited')
  })

  test('shows the state of endpoints', async () => {
    const failing = await insertEndpointRow(doors.db, browser.accountId)
    await doors.db.query('update endpoint set failing_since = now() where id = $1', [failing])
    await insertEndpointRow(doors.db, browser.accountId)
    await insertEndpointRow(doors.db, browser.accountId, { status: 'paused' })
    const html = await home()
    for (const words of ['1 healthy', '1 failing', '1 paused']) expect(html).toContain(words)
    expect(html).toContain(`href="/dashboard/webhooks/${failing}"`)
  })

  test('hides endpoints from keys without the scope for them', async () => {
    await insertEndpointRow(doors.db, browser.accountId)
    const { key, keyId } = await addKey(doors.db, browser.accountId)
    await doors.db.query("update api_key set scopes = '{usage}' where id = $1", [keyId])
    const response = await fetch(`${doors.url}/api/overview`, { headers: bearer(key) })
    expect((await jsonOf(response)).endpoints).toBeNull()
  })

  test('costs less than 30 ms with 50,000 deliveries', async () => {
    const { db } = doors
    const { accountId } = browser
    const endpoint = await insertEndpointRow(db, accountId)
    await writeLedger(db, accountId, 50_000)
    await db.query(
      `insert into delivery (id, endpoint_id, account_id, event_number, event_type, status,
         give_up_at, created_at, updated_at)
       select gen_random_uuid(), $1, account_id, number, type, 'delivered', now(), now(), now()
       from event where account_id = $2`,
      [endpoint, accountId],
    )
    await logRefusals('slot_unavailable', 2_000)
    await book(5)
    await db.query('analyze')
    // One quick response is enough: other tests slow some responses, a scan would slow every one.
    await eventually('a page in less than 30 ms', async () => {
      const begun = performance.now()
      expect((await browser.get('/dashboard')).status).toBe(200)
      return performance.now() - begun < 30
    })
  })
})
