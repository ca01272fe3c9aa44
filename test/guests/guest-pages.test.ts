import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DepositRule } from '../../src/availability/rules/deposit.ts'
import { DAY_MS, HOUR_MS } from '../../src/base/durations.ts'
import { bookingCode } from '../../src/base/ids.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { guestMailsUrl, guestPageUrl } from '../../src/bookings/steps/guest-link.ts'
import { eraseGuestDetails } from '../../src/bookings/steps/sweep.ts'
import { addressDigests } from '../../src/guests/rules/mail-address.ts'
import { isStopped } from '../../src/guests/store/guest-mails.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { bookedFor, wanting } from '../support/guests.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { look } from '../support/venue-people.ts'

const log = createLog('silent')

let doors: Doors
let start: BookingStart

beforeAll(async () => {
  doors = await openDoors()
  start = await bookedFor(doors.db, wanting())
})
afterAll(() => doors?.close())

const pageOf = (id: string) => guestPageUrl(doors.sealer, doors.url, id)
const mailsOf = (id: string) => guestMailsUrl(doors.sealer, doors.url, id)
const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  look(url, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })

describe('a guest’s page', () => {
  test('shows the booking without scripts, and is neither cached, indexed nor framed', async () => {
    const { status, html, headers } = await look(pageOf(start.bookingId))
    expect(status).toBe(200)
    for (const text of [start.venueName, '2 guests', ' time)', 'Confirmed.']) {
      expect(html).toContain(text)
    }
    expect(html).toContain('Ayu &lt;b&gt;Sari&lt;/b&gt;')
    expect(html).toMatch(/Cancelling is free until .*\. After that a fee of IDR [\d,]+ is charged/)
    expect(html).toMatch(/<h1 class="state good">Confirmed\. They expect you\.\s*<\/h1>/)
    expect(html).toContain(bookingCode(start.bookingId))
    expect(html).not.toMatch(/<script|ayu@guest|evil\.example<\/a>/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('is in the guest’s language, and in the other one on request', async () => {
    const { bookingId } = await bookedFor(doors.db, wanting({ language: 'id' }))
    const first = await look(pageOf(bookingId))
    expect(first.html).toContain('<html lang="id">')
    expect(first.html).toContain('Terkonfirmasi.')
    const second = await look(`${pageOf(bookingId)}?lang=en`)
    expect(second.html).toContain('<html lang="en">')
    expect(second.html).toContain('Confirmed.')
  })

  test('of an offer shows the offered time, and no calendar', async () => {
    const { bookingId } = await bookedFor(doors.db, wanting(), { kind: 'venue with staff' })
    const slot = `select slot_time, starts_at from booking where id = $1`
    const { rows } = await doors.db.query(slot, [bookingId])
    const offered = new Date(rows[0].starts_at.getTime() - 3 * HOUR_MS)
    await doors.db.query(
      `insert into venue_offer (booking_id, service_id, rule_version, slot_time, starts_at,
         ends_at, cancel_until)
       select id, service_id, rule_version, slot_time - interval '3 hours', $2,
         ends_at - interval '3 hours', $2 from booking where id = $1`,
      [bookingId, offered],
    )
    await doors.db.query(`update booking set status = 'offered', answer_by = $2 where id = $1`, [
      bookingId,
      offered,
    ])
    const requestedTime = (html: string) =>
      /<dt>Requested<\/dt><dd>[^<]*, (\d\d:\d\d) /.exec(html)?.[1]
    const proposedTime = (html: string) => /class="when">[^<]*, (\d\d:\d\d) /.exec(html)?.[1]
    const { html } = await look(pageOf(bookingId))
    const requested = rows[0].slot_time.slice(11, 16)
    expect(requestedTime(html)).toBe(requested)
    expect(proposedTime(html)).not.toBe(requested)
    expect(html).toContain('Nothing is booked unless you accept')
    expect(html).toMatch(/<button class="main">Accept [^<]*, \d\d:\d\d<\/button>/)
    expect(html).toContain('Refuse it')
    expect(html).not.toContain('calendar')
    expect((await look(`${pageOf(bookingId)}?lang=id`)).html).toContain('<dt>Diminta</dt>')
    const proposed = proposedTime(html) ?? ''
    expect((await look(`${pageOf(bookingId)}/cancel`)).html).toContain(`${proposed} (`)
    const old = { slot_time: rows[0].slot_time.replace(' ', 'T') }
    await doors.db.query(`update account set tier = 'pro'`)
    const refused = await post(`${pageOf(bookingId)}/accept`, old)
    expect(refused.headers.get('location')).toMatch(/done=changed$/)
    const slot_time = /name="slot_time" value="([^"]+)"/.exec(html)?.[1] ?? ''
    await post(`${pageOf(bookingId)}/accept`, { slot_time })
    const sent = `select kind, door, input from command where booking_id = $1`
    expect((await doors.db.query(sent, [bookingId])).rows).toEqual([
      { kind: 'accept_offer', door: 'guest', input: { by: 'guest', page: true } },
    ])
    const file = (await look(`${pageOf(bookingId)}/calendar.ics`)).html
    const utc = offered.toISOString().replaceAll(/[-:]|\.000/g, '')
    expect(file).toContain(`DTSTART:${utc}`)
    expect(file).toContain('STATUS:TENTATIVE')
    expect(file).toContain('SUMMARY:Not booked: ')
  })

  test.each(['declined', 'cancelled', 'expired', 'no_show'])(
    'of a booking that is %s has no link to a calendar file, and the file says so',
    async (status) => {
      const { bookingId } = await bookedFor(doors.db, wanting())
      const end = `update booking set status = $2, next_action_at = null where id = $1`
      await doors.db.query(end, [bookingId, status])
      expect((await look(pageOf(bookingId))).html).not.toContain('calendar')
      const file = (await look(`${pageOf(bookingId)}/calendar.ics`)).html
      expect(file).not.toContain('STATUS:CONFIRMED')
    },
  )

  test('says what the venue asks for, including where the guest cancels', async () => {
    const kept_when = 'You <b>do not</b> come.'
    const deposits: DepositRule[] = [
      { kind: 'deposit', amount_minor: 10_000_000, per: 'guest', kept_when },
    ]
    const { bookingId } = await bookedFor(doors.db, wanting(), { deposits })
    for (const page of [pageOf(bookingId), `${pageOf(bookingId)}/cancel`]) {
      const { html } = await look(page)
      expect(html).toContain('The venue asks for a deposit of IDR 200,000.')
      expect(html).toContain('The venue keeps it: You &lt;b&gt;do not&lt;/b&gt; come.')
    }
  })

  test('says what a card guarantee is, in both languages', async () => {
    const deposits: DepositRule[] = [{ kind: 'guarantee', amount_minor: 10_000_000, per: 'party' }]
    const { bookingId } = await bookedFor(doors.db, wanting(), { deposits })
    const page = pageOf(bookingId)
    expect((await look(page)).html).toContain('a card guarantee of IDR 100,000')
    expect((await look(`${page}?lang=id`)).html).toContain('jaminan kartu IDR 100.000')
  })

  test('offers the booking as a calendar file', async () => {
    const { html, headers } = await look(`${pageOf(start.bookingId)}/calendar.ics`)
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(html).toContain(`UID:${start.bookingId}@`)
    expect(html).not.toMatch(/Ayu|guest\.example/)
  })

  test.each([
    ['made up', () => `${doors.url}/guest/AAAA`],
    ['changed', () => `${pageOf(start.bookingId).slice(0, -4)}AAAA`],
    ['of no booking', () => pageOf(randomUUID())],
    [
      'that stops mails',
      () => `${doors.url}/guest/${mailsOf(start.bookingId).split('/').at(-1) ?? ''}`,
    ],
  ])('does not open with a token %s', async (_, address) => {
    const url = address()
    for (const path of [url, `${url}/cancel`, `${url}/calendar.ics`]) {
      const { status, html } = await look(path)
      expect(status).toBe(403)
      expect(html).toContain('<h1>This link is not valid or has expired</h1>')
      expect(html).not.toContain(start.venueName)
    }
    expect((await post(`${url}/cancel`, { fee: 'reversed' })).status).toBe(403)
  })

  test('is closed 30 days after the slot, before the guest is erased', async () => {
    const { bookingId } = await bookedFor(doors.db, wanting())
    const shift = `update booking set starts_at = starts_at - $2::interval,
      ends_at = ends_at - $2::interval where id = $1`
    await doors.db.query(shift, [bookingId, '40 days'])
    expect((await look(pageOf(bookingId))).status).toBe(403)
  })

  test('is closed once the guest is erased', async () => {
    const { bookingId } = await bookedFor(doors.db, wanting())
    await eraseGuestDetails({ db: doors.db, log }, new Date(Date.now() + 400 * DAY_MS))
    expect((await look(pageOf(bookingId))).status).toBe(403)
    expect((await look(mailsOf(bookingId))).html).toContain('No emails are sent')
    start = await bookedFor(doors.db, wanting())
  })

  test('appears in no log and in no error response', async () => {
    const page = pageOf(start.bookingId)
    const token = page.split('/').at(-1) ?? ''
    const said: string[] = []
    for (const [address, init] of [
      [page, { method: 'DELETE' }],
      [`${page}/nothing/here`, {}],
      [`${page.replace('/guest/', '//guest/')}/nothing`, {}],
      [`${page}/${'x'.repeat(300)}`, {}],
      [`${page}/cancel`, { method: 'POST', body: '{' }],
      [`${page}/cancel`, { method: 'POST', body: new URLSearchParams({ fee: 'maybe' }) }],
    ] as const) {
      const response = await fetch(address, init)
      expect(response.status).toBeGreaterThanOrEqual(400)
      said.push(await response.text())
    }
    for (const text of [...said, doors.logged()]) expect(text).not.toContain(token)
  })
})

describe('cancelling', () => {
  test('asks first, says what it costs, and sends the same command as an agent', async () => {
    const { bookingId, accountId } = await bookedFor(doors.db, wanting())
    const asking = await look(`${pageOf(bookingId)}/cancel`)
    expect(asking.html).toContain('Cancelling now is free.')
    expect(asking.html).toContain('name="fee" value="reversed"')
    await post(`${pageOf(bookingId)}/cancel`, { fee: 'reversed' })
    const text = `select c.kind, c.input, c.door, r.account_id from command c
      join request r using (booking_id) where booking_id = $1`
    const { rows } = await doors.db.query(text, [bookingId])
    expect(rows).toEqual([
      {
        kind: 'cancel',
        input: { by: 'guest', page: true },
        door: 'guest',
        account_id: accountId,
      },
    ])
  })

  test('must be confirmed again if the terms have changed since the guest saw them', async () => {
    const { bookingId } = await bookedFor(doors.db, wanting())
    const late = `update booking set cancel_until = now() - interval '1 hour' where id = $1`
    await doors.db.query(late, [bookingId])
    const { status, html } = await post(`${pageOf(bookingId)}/cancel`, { fee: 'reversed' })
    expect(status).toBe(200)
    expect(html).toContain('have changed since you opened this page')
    expect(html).toMatch(/If you cancel now, a fee of IDR [\d,]+ is charged to the agent/)
    const { rows } = await doors.db.query('select from command where booking_id = $1', [bookingId])
    expect(rows).toEqual([])
  })

  test('follows the test clock of its account', async () => {
    const { bookingId, accountId } = await bookedFor(doors.db, wanting())
    expect((await look(pageOf(bookingId))).html).toContain('/cancel')
    await doors.db.query(
      `insert into test_clock (account_id, name, ahead_ms, created_at)
       select $1, 'later', extract(epoch from starts_at - now()) * 1000 + 60000, now()
       from booking where id = $2`,
      [accountId, bookingId],
    )
    expect((await look(pageOf(bookingId))).html).not.toContain('/cancel')
    const { headers } = await post(`${pageOf(bookingId)}/cancel`, { fee: 'reversed' })
    expect(headers.get('location')).toMatch(/done=too_late$/)
    expect((await look(`${pageOf(bookingId)}/cancel`)).url).toMatch(/\?lang=en$/)
    await doors.db.query('delete from test_clock where account_id = $1', [accountId])
  })

  test('from a page of another site is refused', async () => {
    const headers = { origin: 'https://evil.example' }
    const answer = await post(`${pageOf(start.bookingId)}/cancel`, { fee: 'reversed' }, headers)
    expect(answer.status).toBe(403)
  })

  test('is not offered once the slot has begun', async () => {
    const { bookingId } = await bookedFor(doors.db, wanting())
    const begun = `update booking set starts_at = now() - interval '1 minute' where id = $1`
    await doors.db.query(begun, [bookingId])
    expect((await look(pageOf(bookingId))).html).not.toContain('/cancel')
    const { headers } = await post(`${pageOf(bookingId)}/cancel`, { fee: 'kept' })
    expect(headers.get('location')).toMatch(/done=too_late$/)
  })
})

describe('emails', () => {
  const optedOut = (email: string) => isStopped(doors.db, addressDigests(doors.sealer, email))
  const notified = async (id: string) => {
    const text = 'select notify from booking_guest where booking_id = $1'
    return (await doors.db.query(text, [id])).rows[0].notify
  }

  test('about a booking can be stopped by their recipient, and allowed again', async () => {
    const { bookingId } = await bookedFor(doors.db, wanting({ email: 'one@guest.example' }))
    const before = await look(mailsOf(bookingId))
    expect(before.html).toContain('o…@g….example')
    expect(before.html).not.toContain('one@guest')
    await post(mailsOf(bookingId), { mails: 'booking' })
    expect(await notified(bookingId)).toBe(false)
    expect(await optedOut('one@guest.example')).toBe(false)
    expect((await look(mailsOf(bookingId))).html).toContain('No more emails will be sent')
    await post(mailsOf(bookingId), { mails: 'allow' })
    expect(await notified(bookingId)).toBe(true)
  })

  test('to an address are stopped by one click in an email program', async () => {
    const { bookingId } = await bookedFor(doors.db, wanting({ email: 'two@guest.example' }))
    await post(mailsOf(bookingId), { 'List-Unsubscribe': 'One-Click' })
    expect(await optedOut('TWO@guest.example')).toBe(true)
    expect((await look(mailsOf(bookingId))).html).toContain('No more emails about any booking')
  })

  test('cannot be stopped with the link that the agent has', async () => {
    const token = pageOf(start.bookingId).split('/').at(-1) ?? ''
    expect((await post(`${doors.url}/guest/mails/${token}`, {})).status).toBe(403)
    expect(await optedOut('ayu@guest.example')).toBe(false)
  })
})
