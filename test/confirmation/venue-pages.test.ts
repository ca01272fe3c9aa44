import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DepositRule } from '../../src/availability/rules/deposit.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { answerForVenue } from '../../src/confirmation/operations/venue-page.ts'
import { venueLinkUrl } from '../../src/confirmation/rules/venue-link.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import { insertLink, revokeLink, revokeLinks } from '../../src/confirmation/store/venue-links.ts'
import { insertDecision } from '../../src/confirmation/store/venue-responses.ts'
import { personToken } from '../../src/notices/rules/person-link.ts'
import { insertPerson, removePerson } from '../../src/notices/store/people.ts'
import { bookedFor } from '../support/guests.ts'
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

const urlOf = (id: string) => venueLinkUrl(doors.sealer, doors.url, id)
const newLink = (venueId: string, days = 1, at = new Date()) =>
  insertLink(doors.db, { id: randomUUID(), venueId, bookingId: null, days, at })
const link = async (days = 1, at = new Date()) => urlOf(await newLink(start.venueId, days, at))
const bookingPage = async () => `${await link()}/bookings/${start.bookingId}`

describe('a link', () => {
  test('opens the page of its venue, which is neither cached nor embeddable', async () => {
    const { status, html, headers } = await look(await link())
    expect(status).toBe(200)
    expect(html).toContain(start.venueName)
    expect(html).toMatch(/<html lang="en">[\s\S]*<header><span>/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('that has expired says when it expired', async () => {
    const { status, html } = await look(await link(1, new Date(Date.now() - 2 * DAY_MS)))
    expect(status).toBe(403)
    expect(html).toMatch(/This link expired at \d{4}-\d\d-\d\d \d\d:\d\d \(Asia/)
    expect(html).toContain('Ask the operator of the network for a new link.')
  })

  test.each([
    ['made up', async () => `${doors.url}/venue/v1.k1.AAAA`],
    ['changed', async () => `${(await link()).slice(0, -4)}AAAA`],
    [
      'made with the id alone',
      async () => `${doors.url}/venue/${(await newLink(start.venueId)).replaceAll('-', '')}`,
    ],
    [
      'made for another purpose',
      async () => {
        const id = await newLink(start.venueId)
        const [mac = Buffer.of()] = doors.sealer.tokens('other', id)
        const bytes = Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), mac])
        return `${doors.url}/venue/${bytes.toString('base64url')}`
      },
    ],
    ['of no row', async () => urlOf(randomUUID())],
  ])('that is %s opens nothing', async (_, address) => {
    const { status, html } = await look(await address())
    expect(status).toBe(403)
    expect(html).toContain('This link is not valid')
    expect(html).not.toContain(start.venueName)
  })

  test('is revoked by the operator, and a newer one works', async () => {
    const old = await link(1, new Date(Date.now() - 1000))
    await revokeLinks(doors.db, start.venueId, new Date())
    expect((await look(old)).status).toBe(403)
    expect((await look(await link())).status).toBe(200)
  })

  test('can be revoked immediately, without affecting other links', async () => {
    const [leaked, kept] = [await newLink(start.venueId), await newLink(start.venueId)]
    expect((await look(urlOf(leaked))).status).toBe(200)
    expect(await revokeLink(doors.db, leaked, new Date())).toBe(1)
    const { status, html } = await look(urlOf(leaked))
    expect([status, html]).toEqual([403, expect.stringContaining('This link has been revoked.')])
    expect((await look(urlOf(kept))).status).toBe(200)
  })

  test('appears in no log and in no error response', async () => {
    const page = await link()
    const token = page.split('/').at(-1) ?? ''
    const said: string[] = []
    for (const [address, init] of [
      [page, { method: 'DELETE' }],
      [`${page}/nothing/here`, {}],
      [`${page.replace('/venue/', '//venue/')}/nothing`, {}],
      [`${page}/${'x'.repeat(300)}`, {}],
      [
        `${page}/bookings/nothing`,
        { method: 'POST', body: new URLSearchParams({ said: 'maybe' }) },
      ],
      [`${page}/bookings/${start.bookingId}`, { method: 'POST', body: '{' }],
    ] as const) {
      const response = await fetch(address, init)
      expect(response.status).toBeGreaterThanOrEqual(400)
      said.push(await response.text())
    }
    expect(said.length).toBe(6)
    for (const text of [...said, doors.logged()]) expect(text).not.toContain(token)
  })

  test('does not open the bookings of another venue', async () => {
    const { rows } = await doors.db.query('select id from venue where id <> $1 limit 1', [
      start.venueId,
    ])
    const other = urlOf(await newLink(rows[0].id))
    expect((await look(`${other}/bookings/${start.bookingId}`)).status).toBe(404)
    const form = formOf((await look(await bookingPage())).html, 'confirmed')
    expect((await send(`${other}/bookings/${start.bookingId}`, form)).status).toBe(404)
  })
})

test('staff see the deposit that their guests owe them', async () => {
  const deposits: DepositRule[] = [{ kind: 'deposit', amount_minor: 10_000_000, per: 'guest' }]
  const booked = await bookedFor(doors.db, {}, { kind: 'venue with staff', deposits })
  const page = `${urlOf(await newLink(booked.venueId))}/bookings/${booked.bookingId}`
  expect((await look(page)).html).toContain('IDR 200,000, settled between the guests and you')
})

describe('an end', () => {
  const pageOf = async (details: Parameters<typeof bookedFor>[1]) => {
    const booked = await bookedFor(doors.db, details)
    const page = `${urlOf(await newLink(booked.venueId))}/bookings/${booked.bookingId}`
    return { ...booked, page }
  }

  test('must be confirmed on a separate page, and needs a reason', async () => {
    const { page } = await pageOf({ name: 'Ayu', phone: '+62 812' })
    expect((await look(page)).html).not.toContain('value="cancelled"')
    const { html } = await look(`${page}/end`)
    expect(html).toContain('<h1>Cancel this booking?</h1>')
    expect(html).toContain('Tell them yourself: +62 812.')
    const { status } = await send(page, formOf(html, 'cancelled'))
    expect(status).toBe(400)
  })

  test.each([
    [{ name: 'Ayu' }, 'no phone number or email is known'],
    [{ email: 'ayu@guest.example' }, 'Tell them yourself: ayu@guest.example.'],
    [{ email: 'ayu@guest.example', notify: true }, 'email has not been sent yet'],
  ])('of a booking for %j says whether the guest is notified', async (details, words) => {
    const { page, bookingId } = await pageOf(details)
    const said = { bookingId, id: randomUUID(), revision: 2, status: 'cancelled' } as const
    await insertDecision(doors.db, { ...said, answeredAt: new Date(), receivedAt: new Date() })
    const { rows } = await doors.db.query('select venue_id from booking where id = $1', [bookingId])
    await applyVenueResponses(
      doors.db,
      { ...start, bookingId, venueId: rows[0].venue_id },
      stepDeps,
      new Date(),
    )
    expect((await look(`${page}?answer=${said.id}`)).html).toContain(words)
    const mail = `insert into guest_mail (booking_id, number, id, kind, account_id, address, at,
        tried_at, sent_at)
      select id, 9, gen_random_uuid(), 'cancelled', account_id, '', now(), now(), now()
      from booking where id = $1`
    await doors.db.query(mail, [bookingId])
    expect((await look(`${page}?answer=${said.id}`)).html).toContain('The guest was sent an email.')
  })
})

describe('a response', () => {
  const statements = async () => {
    const { rows } = await doors.db.query(
      'select status, reason from venue_response where booking_id = $1',
      [start.bookingId],
    )
    return rows
  }

  test.each(['https://evil.example', 'null'])('from a page of %s is refused', async (origin) => {
    const form = formOf((await look(await bookingPage())).html, 'confirmed')
    expect((await send(await bookingPage(), form, {}, { origin })).status).toBe(403)
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
    const { status, html } = await send(await bookingPage(), whole)
    expect(status).toBe(400)
    expect(html).toContain('Check what you entered')
    expect(await statements()).toEqual([])
  })

  test('is stored even when nobody can be signalled, once for two clicks', async () => {
    doors.engine.isDown = true
    const form = formOf((await look(`${await bookingPage()}/end`)).html, 'declined')
    const first = await send(await bookingPage(), form, { reason: 'full' })
    await send(await bookingPage(), form, { reason: 'full' })
    doors.engine.isDown = false
    expect(first.html).toContain('Recorded. Refresh in a moment.')
    expect(await statements()).toEqual([{ status: 'declined', reason: 'full' }])
    expect(doors.logged()).toContain('the sweep will deliver the answer of venue staff')
    expect(doors.logged()).not.toContain('/venue/v1')
  })
})

test('a venue whose people have PINs shows and takes only what one of them does', async () => {
  const person = { id: randomUUID(), venueId: start.venueId, name: 'Wayan', role: 'staff' } as const
  await insertPerson(doors.db, { ...person, language: null, at: new Date() })
  await doors.db.query(
    `update venue_person set pin_hash = 'one', joined_at = now() where id = $1`,
    [person.id],
  )
  const cookieOf = (pin_hash: string, at = new Date()) => {
    const token = personToken(doors.sealer, { id: person.id, pin_hash }, at)
    return { cookie: `venue_person_${start.venueId.slice(-12)}=${token}` }
  }
  const page = await bookingPage()
  const headers = cookieOf('one')
  const open = async (more: Record<string, string> = {}) =>
    (await look(page, { headers: more })).html
  const old = cookieOf('one', new Date(Date.now() - 91 * DAY_MS))
  const forged = { cookie: headers.cookie.slice(0, -4).concat('AAAA') }
  for (const other of [{}, cookieOf('two'), old, forged]) {
    expect(await open(other)).toContain('who are you?')
  }
  const form = formOf(await open(headers), 'confirmed')
  expect((await send(page, form)).html).toContain('choose your name and give your PIN')
  // Then nothing waits for the effect.
  doors.engine.isDown = true
  expect((await send(page, form, {}, headers)).status).toBe(200)
  doors.engine.isDown = false
  const acts = 'select person_id from venue_response where person_id is not null'
  expect((await doors.db.query(acts)).rows).toEqual([{ person_id: person.id }])
  // Removed between the page and the press.
  const venue = { id: start.venueId, timezone: 'Asia/Makassar' }
  await removePerson(doors.db, person.id, new Date())
  const press = { bookingId: start.bookingId, formId: randomUUID(), revision: 2 } as const
  const late = { ...press, status: 'confirmed', personId: person.id } as const
  const services = { db: doors.db, engine: doors.engine } as never
  await expect(answerForVenue(services, venue, late, new Date())).rejects.toThrow('who you are')
  expect((await doors.db.query(acts)).rowCount).toBe(1)
})
