import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { endLinks } from '../../src/confirmation/store/venue-contacts.ts'
import { venueLink } from '../../src/confirmation/venue-link.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { formOf, look, send, staffAllDay } from '../support/venue-people.ts'

let doors: Doors
let start: BookingStart

beforeAll(async () => {
  doors = await openDoors()
  await staffAllDay(doors.db, 'restaurant')
  start = await requestDaysAhead(doors.db)
  await decideBooking(doors.db, start, stepDeps, new Date())
})
afterAll(() => doors?.close())

const link = (days = 1, at = new Date()) =>
  venueLink(doors.sealer, doors.url, { venueId: start.venueId, days, at })
const bookingPage = () => `${link()}/bookings/${start.bookingId}`
const DAY_MS = 86_400_000

describe('a link', () => {
  test('opens the page of its venue, which is neither cached nor embeddable', async () => {
    const { status, html, headers } = await look(link())
    expect(status).toBe(200)
    expect(html).toContain(start.venueName)
    expect(html).not.toContain('<script')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('that has expired says when it expired', async () => {
    const { status, html } = await look(link(1, new Date(Date.now() - 2 * DAY_MS)))
    expect(status).toBe(403)
    expect(html).toMatch(/This link expired at \d{4}-\d\d-\d\d \d\d:\d\d \(Asia/)
    expect(html).toContain('Ask the operator of the network for a new link.')
  })

  test.each([
    ['made up', () => `${doors.url}/venue/v1.k1.AAAA`],
    ['changed', () => `${link().slice(0, -4)}AAAA`],
    [
      'sealed for another purpose',
      () => `${doors.url}/venue/${doors.sealer.seal(`${start.venueId} 0 9999999999999`, 'other')}`,
    ],
    [
      'of a deleted venue',
      () => venueLink(doors.sealer, doors.url, { venueId: randomUUID(), days: 1, at: new Date() }),
    ],
  ])('that is %s opens nothing', async (_, address) => {
    const { status, html } = await look(address())
    expect(status).toBe(403)
    expect(html).toContain('This link is not valid')
    expect(html).not.toContain(start.venueName)
  })

  test('is revoked by the operator, and a newer one works', async () => {
    const old = link(1, new Date(Date.now() - 1000))
    await endLinks(doors.db, start.venueId, new Date())
    expect((await look(old)).status).toBe(403)
    expect((await look(link())).status).toBe(200)
  })

  test('does not open the bookings of another venue', async () => {
    const { rows } = await doors.db.query('select id from venue where id <> $1 limit 1', [
      start.venueId,
    ])
    const other = venueLink(doors.sealer, doors.url, {
      venueId: rows[0].id,
      days: 1,
      at: new Date(),
    })
    expect((await look(`${other}/bookings/${start.bookingId}`)).status).toBe(404)
    const form = formOf((await look(bookingPage())).html, 'confirmed')
    expect((await send(`${other}/bookings/${start.bookingId}`, form)).status).toBe(404)
  })
})

describe('a response', () => {
  const statements = async () => {
    const { rows } = await doors.db.query(
      'select status, reason from venue_statement where booking_id = $1',
      [start.bookingId],
    )
    return rows
  }

  test.each(['https://evil.example', 'null'])('from a page of %s is refused', async (origin) => {
    const form = formOf((await look(bookingPage())).html, 'confirmed')
    expect((await send(bookingPage(), form, {}, { origin })).status).toBe(403)
    expect(await statements()).toEqual([])
  })

  test.each([
    ['nothing', {}],
    ['an unknown response', { said: 'maybe' }],
    ['no time with its offer', { said: 'offered' }],
    ['a nonexistent time', { said: 'offered', slot_time: '2026-99-99T19:00:00' }],
    ['an unknown reason', { said: 'declined', reason: 'Ayu was rude' }],
  ])('with %s is refused with an explanation', async (_, fields) => {
    const whole = { form: randomUUID(), revision: '2', ...fields }
    const { status, html } = await send(bookingPage(), whole)
    expect(status).toBe(400)
    expect(html).toContain('does not have the expected shape')
    expect(await statements()).toEqual([])
  })

  test('is stored even when nobody can be signalled, once for two clicks', async () => {
    doors.engine.isDown = true
    const form = formOf((await look(bookingPage())).html, 'declined')
    const first = await send(bookingPage(), form, { reason: 'full' })
    await send(bookingPage(), form, { reason: 'full' })
    doors.engine.isDown = false
    expect(first.html).toContain('Accepted. Refresh in a moment.')
    expect(await statements()).toEqual([{ status: 'declined', reason: 'full' }])
    expect(doors.logged()).toContain('the sweep will deliver the answer of venue staff')
    expect(doors.logged()).not.toContain('/venue/v1')
  })
})
