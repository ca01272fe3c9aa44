import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { venueLinkUrl } from '../../src/confirmation/rules/venue-link.ts'
import { insertLink } from '../../src/confirmation/store/venue-links.ts'
import { channelDigests } from '../../src/notices/rules/channel.ts'
import { personToken } from '../../src/notices/rules/person-link.ts'
import {
  channelContext,
  endChannel,
  isOptedOut,
  selectChannels,
} from '../../src/notices/store/channels.ts'
import { bookedFor } from '../support/guests.ts'
import { notify } from '../support/notices.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { type Answer, appliesAtOnce, look, staffAllDay } from '../support/venue-people.ts'

let doors: Doors
beforeAll(async () => {
  const WEB_PUSH_PRIVATE_KEY = randomBytes(32).toString('base64url')
  doors = await openDoors({ WEB_PUSH_PRIVATE_KEY })
  appliesAtOnce(doors)
  await staffAllDay(doors.db, 'restaurant')
})
afterAll(() => doors?.close())

type More = Partial<Parameters<typeof notify>[1]>

/** A request that waits for staff, and a person who was told of it. */
async function request(more: More = {}) {
  const start = await requestDaysAhead(doors.db)
  await decideBooking(doors.db, start, stepDeps, new Date())
  return { start, ...(await tell(start, more)) }
}
const tell = (start: BookingStart, more: More = {}) =>
  notify(doors, { venueId: start.venueId, bookingId: start.bookingId, ...more })

const statusOf = async ({ bookingId }: BookingStart) =>
  (await doors.db.query('select status from booking where id = $1', [bookingId])).rows[0].status

const post = (url: string, fields: Record<string, string>, headers = {}): Promise<Answer> =>
  look(url, { method: 'POST', body: new URLSearchParams(fields), headers })
const press = (url: string, fields: Record<string, string>) =>
  post(url, { form: randomUUID(), ...fields })

test('a link acts only when its button is pressed, and is kept private', async () => {
  const { url, start, attemptId } = await request()
  const attempt = async () =>
    (await doors.db.query('select status from notice_attempt where id = $1', [attemptId])).rows[0]
  const { status, html, headers } = await look(url)
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('x-robots-tag')).toBe('noindex')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(html).toContain('New request')
  await look(url, { method: 'HEAD' })
  expect(await statusOf(start)).toBe('pending')
  expect(await attempt()).toEqual({ status: 'sent' })
  expect((await post(`${url}/seen`, {})).status).toBe(204)
  expect(await attempt()).toEqual({ status: 'read' })
  const refused = await post(url, { form: randomUUID(), act: 'accept' }, { origin: 'https://x.y' })
  expect(refused.status).toBe(403)
  expect((await press(url, { act: 'decline' })).status).toBe(400)
  expect((await press(url, { act: 'accept' })).html).toContain('Accepted. The guest comes.')
  expect(await statusOf(start)).toBe('confirmed')
  expect(doors.logged()).not.toContain(url.split('/').at(-1))
})

test('another time takes two taps, and late presses hear that it was decided', async () => {
  const { url, start } = await request({ name: 'Ketut <K>', language: 'id' })
  const { html } = await look(url)
  const [, time = ''] = html.match(/name="slot_time" value="([^"]+)"/) ?? []
  const offered = await press(url, { act: 'offer', slot_time: time })
  expect(offered.html).toContain('Waktu lain ditawarkan')
  expect(offered.html).toContain('Dijawab oleh Ketut &lt;K&gt;')
  const other = await tell(start)
  const late = await press(other.url, { act: 'decline', reason: 'full' })
  expect(late.html).toContain('This was already decided.')
  expect(await statusOf(start)).toBe('offered')
})

test('an answer is kept while the engine of bookings is down', async () => {
  const { url, start } = await request()
  const { venueResponded } = doors.engine
  doors.engine.venueResponded = async () => {
    throw new Error('Temporal is away')
  }
  const { html } = await press(url, { act: 'accept' })
  doors.engine.venueResponded = venueResponded
  expect(html).toContain('Recorded. Reload this page in a moment.')
  expect(doors.logged()).toContain('the sweep will deliver the answer of a person at a venue')
  const { rows } = await doors.db.query(
    'select status, effect from venue_response where booking_id = $1',
    [start.bookingId],
  )
  expect(rows).toEqual([{ status: 'confirmed', effect: null }])
})

test('invented, old and ended links show nothing of the guest', async () => {
  const { url, channelId, noticeId } = await request()
  const older = `update notice set created_at = created_at - interval '7 days' where id = $1`
  await doors.db.query(older, [noticeId])
  const ended = await request()
  await endChannel(doors.db, ended.channelId, 'gone', new Date())
  expect(channelId).not.toBe(ended.channelId)
  for (const one of [url, ended.url, `${url.slice(0, -4)}AAAA`, `${doors.url}/venue/notice/x`]) {
    for (const { status, html } of [await look(one), await press(one, { act: 'accept' })]) {
      expect([status, html]).toEqual([410, expect.stringContaining('no longer works')])
    }
  }
})

test('one click ends the emails to an address for ever', async () => {
  const address = `wayan@${randomUUID()}.example`
  const { url } = await request({ address })
  const before = await look(`${url}/stop`)
  expect(before.html).toContain('Stop these emails?')
  const digests = channelDigests(doors.sealer, 'mail', address)
  expect(await isOptedOut(doors.db, digests)).toBe(false)
  // RFC 8058, 3.2: as programs post it, from nowhere in particular.
  const body = new FormData()
  body.set('List-Unsubscribe', 'One-Click')
  const stop = { method: 'POST', body, headers: { origin: 'null' }, redirect: 'manual' } as const
  expect((await fetch(`${url}/stop`, stop)).status).toBe(303)
  expect(await isOptedOut(doors.db, digests)).toBe(true)
  expect((await look(url)).status).toBe(410)
  expect((await look(`${url}/stop`)).html).toContain('Stopped.')
  expect((await post(`${url}/allow`, {})).html).toContain('Stop these emails?')
  expect(await isOptedOut(doors.db, digests)).toBe(false)
  expect((await post(`${url.slice(0, -4)}AAAA/stop`, {})).status).toBe(410)
  const byPush = await request({ channel: 'push' })
  expect((await post(`${byPush.url}/stop`, {})).status).toBe(410)
})

test('a list of a day shows who comes', async () => {
  const booked = await bookedFor(doors.db, { name: 'Ayu' })
  const { noticeId, url } = await notify(doors, booked)
  await doors.db.query(
    `update notice n set kind = 'day.list', booking_id = null, revision = null,
       day = b.slot_time::date from booking b where b.id = $1 and n.id = $2`,
    [booked.bookingId, noticeId],
  )
  const { html } = await look(url)
  expect(html).toContain('1 booking')
  expect(html).toContain('Ayu')
})

test('a browser is notified once its user has given their PIN on it', async () => {
  const { start, personId } = await request({ channel: 'push', address: 'https://old.example' })
  const { rows } = await doors.db.query(
    `update venue_person set pin_hash = 'one', joined_at = now() where id = $1
     returning id, pin_hash`,
    [personId],
  )
  const { id, venueId } = { id: randomUUID(), venueId: start.venueId }
  await insertLink(doors.db, { id, venueId, bookingId: null, days: 1, at: new Date() })
  const path = `${venueLinkUrl(doors.sealer, doors.url, id)}/push`
  const token = personToken(doors.sealer, rows[0], new Date())
  const cookie = `venue_person_${venueId.slice(-12)}=${token}`
  const keys = { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) }
  const subscribe = async (endpoint: string, headers = {}) => {
    const subscription = JSON.stringify({ endpoint, expirationTime: null, keys })
    return (await post(path, { subscription }, headers)).status
  }
  expect(await subscribe('https://push.example/1')).toBe(403)
  expect(await subscribe('https://push.example/1', { cookie, origin: 'https://x.y' })).toBe(403)
  for (const endpoint of ['http://push.example/1', 'https://10.0.0.1/1', 'nothing']) {
    expect(await subscribe(endpoint, { cookie })).toBe(400)
  }
  // the same browser at another venue
  const { rows: others } = await doors.db.query('select id from venue where id <> $1 limit 1', [
    venueId,
  ])
  const other = { venueId: others[0].id, bookingId: start.bookingId, channel: 'push' } as const
  const elsewhere = await notify(doors, { ...other, address: 'https://push.example/5' })
  for (const number of [1, 1, 2, 3, 4, 5]) {
    expect(await subscribe(`https://push.example/${number}`, { cookie })).toBe(204)
  }
  const channels = await selectChannels(doors.db, personId)
  const plain = channels.map((one) => doors.sealer.open(one.address, channelContext(one.id)))
  const endpoints = plain.map((text) => JSON.parse(text).endpoint)
  expect(endpoints).toEqual([1, 2, 3, 4, 5].map((number) => `https://push.example/${number}`))
  expect(await selectChannels(doors.db, elsewhere.personId)).toHaveLength(1)
  expect((await look(path, { headers: { cookie } })).html).toContain('Notify me on this device')
  const worker = await look(`${doors.url}/venue/worker.js`)
  expect(worker.headers.get('content-type')).toContain('text/javascript')
})
