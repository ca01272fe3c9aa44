import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectNextTimes } from '../../src/availability/store/next-slots.ts'
import { addDays, dateOf, toInstantPastGap, toLocal } from '../../src/base/local-time.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { closeEarly, readVenueDay, seatParty } from '../../src/confirmation/operations/venue-day.ts'
import { venueLinkUrl } from '../../src/confirmation/rules/venue-link.ts'
import { insertLink } from '../../src/confirmation/store/venue-links.ts'
import {
  insertDecision,
  updateResponseEffect,
} from '../../src/confirmation/store/venue-responses.ts'
import { insertPerson } from '../../src/notices/store/people.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { look, send, staffAllDay } from '../support/venue-people.ts'

let doors: Doors
let start: BookingStart
let list: string
let date: string

beforeAll(async () => {
  doors = await openDoors()
  await staffAllDay(doors.db, 'restaurant')
  start = await requestDaysAhead(doors.db)
  await decideBooking(doors.db, start, stepDeps, new Date())
  const link = { id: randomUUID(), venueId: start.venueId, bookingId: null, days: 1 }
  const id = await insertLink(doors.db, { ...link, at: new Date() })
  list = venueLinkUrl(doors.sealer, doors.url, id)
  date = dateOf(start.slotTime)
})
afterAll(() => doors?.close())

const day = async (on = date) => (await look(`${list}?date=${on}`)).html
const free = async (party = 2) => (await look(`${list}/tables?date=${date}&party=${party}`)).html
const choiceAt = (html: string, time: string) =>
  html.match(new RegExp(`name="slot" value="([\\w-]+ ${date}T${time}:00)"`))?.[1] ?? ''
const take = (slot: string, form = randomUUID()) =>
  send(`${list}/tables`, { form, date, party: '2', slot })

/** The times that agents can book on the date. */
async function bookable(): Promise<string[]> {
  const from = toInstantPastGap(start.timezone, `${date}T00:00:00`)
  const request = { at: new Date(), from, partySize: 2, count: 500, wish: {} }
  const times = await selectNextTimes(doors.db, start.venueId, request)
  return times.filter((time) => dateOf(time) === date)
}

async function walkIns() {
  const { rows } = await doors.db.query(
    `select a.active, w.freed_at is not null as is_freed
     from walk_in w join allocation a on a.walk_in_id = w.id order by w.created_at`,
  )
  return rows
}

test('the page shows what waits first, then the day with its guests by hour', async () => {
  const html = await day()
  expect(html).toMatch(/1 request is waiting[\s\S]*value="confirmed"[\s\S]*>Accept</)
  for (const reason of ['full', 'party_size', 'short_notice', 'closed']) {
    expect(html).toContain(`name="reason" value="${reason}"`)
  }
  expect(html).toContain(`<strong>${start.partySize}</strong></a>`)
  expect(html).toContain('Guests in the house, by hour')
  expect(html.match(/tables\?date=[^"]+party=(\d)"[^<]*>\d<\/a>\s*<\/p>/)?.[1]).toBe('4')
  expect(await day(addDays(date, 1))).toContain('No bookings on this day.')
  const indonesian = await look(list, { headers: { 'accept-language': 'id-ID' } })
  expect(indonesian.html).toContain('1 permintaan menunggu')
  expect((await look(`${list}?lang=ru`)).html).toContain('Ждёт 1 запрос')
})

test('the page says who gave the answer that counts', async () => {
  const [person, id] = [randomUUID(), randomUUID()]
  const { venueId, bookingId } = start
  const wayan = { id: person, venueId, name: 'Wayan', role: 'staff', language: null } as const
  await insertPerson(doors.db, { ...wayan, at: new Date() })
  const answer = { bookingId, id, revision: 2, status: 'confirmed', personId: person } as const
  await insertDecision(doors.db, { ...answer, answeredAt: new Date(), receivedAt: new Date() })
  expect(await day()).not.toContain('Wayan')
  await updateResponseEffect(doors.db, bookingId, id, 'confirm')
  expect(await day()).toContain('<span class="quiet">Wayan</span>')
  expect((await look(`${list}/bookings/${bookingId}`)).html).toContain('<dd>Wayan</dd>')
})

test('a party takes a table in two taps, once for two presses, and frees it in one', async () => {
  const slot = choiceAt(await free(), '12:00')
  const form = randomUUID()
  for (const { html } of await Promise.all([take(slot, form), take(slot, form)])) {
    expect(html).toMatch(/Taken: .*, 2 guests\./)
    expect(html).toContain('Walk-in or call')
  }
  expect(await walkIns()).toEqual([{ active: true, is_freed: false }])
  const freed = await send(`${list}/tables/${form}/free`, { form: randomUUID() })
  expect(freed.html).toContain('Free again.')
  await send(`${list}/tables/${form}/free`, { form: randomUUID() })
  expect(await walkIns()).toEqual([{ active: false, is_freed: true }])
  expect(await day()).not.toContain('Walk-in or call')
})

test('walk-ins of long ago are deleted by the next one', async () => {
  await doors.db.query(`update walk_in set ends_at = ends_at - interval '1 year',
    starts_at = starts_at - interval '1 year'`)
  await take(choiceAt(await free(), '11:00'))
  expect(await walkIns()).toEqual([{ active: true, is_freed: false }])
})

test('the last tables go to those who press first, and agents find none', async () => {
  const slot = choiceAt(await free(), '12:00')
  const presses = await Promise.all(Array.from({ length: 30 }, () => take(slot)))
  const taken = presses.filter(({ html }) => html.includes('Taken: ')).length
  const gone = presses.filter(({ html }) => html.includes('That has just been taken.')).length
  expect(taken).toBeGreaterThan(0)
  expect(gone).toBe(30 - taken)
  expect(choiceAt(await free(), '12:00')).toBe('')
  expect(await bookable()).not.toContain(`${date}T12:00:00`)
})

test('staff stop bookings on a day and take that back; what is booked stays', async () => {
  expect((await bookable()).length).toBeGreaterThan(0)
  const closed = await send(`${list}/day`, { form: randomUUID(), date, closing: 'day' })
  expect(closed.html).toContain('Existing ones stay')
  expect(await bookable()).toEqual([])
  expect(choiceAt(await free(), '15:00')).not.toBe('')
  const open = await send(`${list}/day`, { form: randomUUID(), date, closing: 'undo' })
  expect(open.html).not.toContain('No new bookings')
  expect((await bookable()).length).toBeGreaterThan(0)
  await send(`${list}/day`, { form: randomUUID(), date, closing: 'evening' })
  const rest = await bookable()
  expect(rest.length).toBeGreaterThan(0)
  expect(rest.every((time) => time.slice(11) < '17:00')).toBe(true)
})

test('what is sent late counts from when it was pressed, and undoes no later press', async () => {
  const close = (closing: string, minutesAgo: number) =>
    send(`${list}/day`, { form: randomUUID(), date, closing, pressed: pressedAgo(minutesAgo) })
  const on = addDays(date, 1)
  const later = (closing: string, minutesAgo: number) =>
    send(`${list}/day`, { date: on, closing, pressed: pressedAgo(minutesAgo) })
  expect((await later('day', 5)).html).toContain('No new bookings from 00:00')
  expect((await later('undo', 30)).html).toContain('No new bookings from 00:00')
  expect((await later('undo', 2)).html).not.toContain('No new bookings')
  expect((await later('day', 5)).html).not.toContain('No new bookings')
  expect((await close('undo', 0)).html).not.toContain('No new bookings')
  const today = dateOf(toLocal(start.timezone, new Date(pressedAgo(40))))
  const { html } = await look(`${list}/tables?date=${today}&party=2`)
  const [, now = ''] = /name="slot" value="([\w-]+ now)"/.exec(html) ?? []
  const press = { form: randomUUID(), date: today, party: '2', slot: now }
  await send(`${list}/tables`, { ...press, pressed: pressedAgo(40) })
  const seated = "select 1 from walk_in where starts_at < now() - interval '39 minutes'"
  expect((await doors.db.query(seated)).rowCount).toBe(1)
})

const pressedAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

test('until five in the morning, the board is that of last night', async () => {
  const venue = { id: start.venueId, timezone: start.timezone, person: null }
  const night = toInstantPastGap(start.timezone, `${addDays(date, 1)}T03:30:00`)
  const read = (at: Date) => readVenueDay({ db: doors.db }, venue, undefined, at)
  expect(await read(night)).toMatchObject({ today: date, date, clock: '27:30' })
  await closeEarly({ db: doors.db }, venue, { date, closing: 'rest' }, night)
  expect((await read(night)).closed?.from_clock).toBe('27:30')
  expect((await bookable()).length).toBeGreaterThan(0)
})

test('dates far from today are nothing that the pages show or change', async () => {
  for (const odd of ['0000-01-01', '0001-01-01', '9999-12-31', addDays(date, -30)]) {
    expect((await look(`${list}?date=${odd}`)).status).toBe(200)
    expect((await look(`${list}/tables?date=${odd}&party=2`)).status).toBe(400)
    expect((await send(`${list}/day`, { date: odd, closing: 'day' })).status).toBe(400)
  }
})

test.each([
  ['tables', { party: '2', slot: 'nothing' }],
  ['tables', { party: '0', slot: `${randomUUID()} now` }],
  ['day', { closing: 'for ever' }],
])('a press at %s with %j is refused', async (path, fields) => {
  const { status, html } = await send(`${list}/${path}`, { form: randomUUID(), date, ...fields })
  expect([status, html]).toEqual([400, expect.stringContaining('Check what you entered')])
})

test('a person who was removed meanwhile takes nothing', async () => {
  const person = { id: randomUUID(), name: 'Wayan', role: 'staff' } as const
  const venue = { id: start.venueId, timezone: start.timezone, person }
  const choice = { formId: randomUUID(), partySize: 2, date, serviceId: randomUUID() }
  const press = seatParty({ db: doors.db }, venue, { ...choice, slotTime: null }, new Date())
  await expect(press).rejects.toMatchObject({ data: { code: 'person_required' } })
})
