import ICAL from 'ical.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertBareBooking } from '../support/bare-booking.ts'
import {
  bearer,
  type Holder,
  jsonOf,
  openPublicDoors,
  type PublicDoors,
} from '../support/open-doors.ts'

let doors: PublicDoors
let holder: Holder
let id: string

beforeAll(async () => {
  doors = await openPublicDoors()
  holder = await doors.openAccount('pro')
  id = await insertBareBooking(doors.db, holder.accountId)
  await doors.db.query(
    `insert into booking_guest (booking_id, name, phone, notes, erase_after)
     values ($1, 'Wayan Secret', '+62 811', 'allergic to peanuts', now())`,
    [id],
  )
})
afterAll(() => doors.close())

const fetchFile = (bookingId: string, { key } = holder) =>
  fetch(`${doors.url}/api/bookings/${bookingId}/calendar.ics`, { headers: bearer(key) })

/** The only event in the file, read by an independent parser. */
async function readEvent() {
  const response = await fetchFile(id)
  const text = await response.text()
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  expect(events).toHaveLength(1)
  const event = events[0] as InstanceType<typeof ICAL.Component>
  return { response, text, event, value: (name: string) => event.getFirstPropertyValue(name) }
}

/** The booking's service and length, where the venue says what kind of service it is. */
async function booked(): Promise<string> {
  const { rows } = await doors.db.query(
    `select coalesce(o.name || ', ' || extract(epoch from b.ends_at - b.starts_at)::int / 60
       || ' min, ', '') as words
     from booking b join service o on o.id = b.service_id
     join service_rules r on (r.service_id, r.version) = (b.service_id, b.rule_version)
     where b.id = $1 and r.rules ? 'kind'`,
    [id],
  )
  return rows[0]?.words ?? ''
}

const setBooking = (set: string) =>
  doors.db.query(
    `update booking set ${set}, timeline_length = timeline_length + 1, timeline_head = sha256('')
     where id = $1`,
    [id],
  )

/** Renames the venue and returns its previous name. */
async function renameVenue(name: string): Promise<string> {
  const { rows } = await doors.db.query(
    `update venue set name = $2 from venue old
     where old.id = venue.id and venue.id = (select venue_id from booking where id = $1)
     returning old.name as before`,
    [id, name],
  )
  return rows[0].before
}

test('a calendar shows when, where and what the booking is, and no guest details', async () => {
  await setBooking(`status = 'confirmed', revision = 2, next_action_at = now()`)
  const { response, text, event, value } = await readEvent()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(response.headers.get('content-disposition')).toContain(`booking-${id}.ics`)
  const { venue } = (
    await jsonOf(await fetch(`${doors.url}/api/bookings/${id}`, { headers: bearer(holder.key) }))
  ).booking
  const { startDate, endDate, summary, location } = new ICAL.Event(event)
  expect([startDate.toJSDate().toISOString(), startDate.zone.tzid]).toEqual([
    '2027-01-15T11:00:00.000Z',
    'UTC',
  ])
  expect(endDate.toJSDate().toISOString()).toBe('2027-01-15T13:00:00.000Z')
  expect(summary).toBe(`${venue.name}, ${await booked()}2 guests`)
  expect(location).toContain(venue.name)
  expect(String(value('geo'))).toMatch(/^-?\d+\.\d+[,;]-?\d+\.\d+$/)
  for (const secret of ['Wayan', '811', 'peanut']) expect(text).not.toContain(secret)
})

test('the UID is stable, SEQUENCE is the revision, and changes and ends are shown', async () => {
  const told: unknown[] = []
  for (const set of [
    `status = 'held', revision = 1, next_action_at = now()`,
    `status = 'confirmed', revision = 2`,
    `revision = 3, starts_at = '2027-01-16T11:00Z', ends_at = '2027-01-16T13:00Z'`,
    `status = 'cancelled', revision = 4, next_action_at = null`,
  ]) {
    await setBooking(set)
    const { value } = await readEvent()
    const said = ['uid', 'sequence', 'status', 'dtstart'].map(value)
    told.push(said.map((one) => (typeof one === 'number' ? one : String(one))))
  }
  const host = new URL(doors.publicUrl).hostname
  expect(told).toEqual([
    [`${id}@${host}`, 1, 'TENTATIVE', '2027-01-15T11:00:00Z'],
    [`${id}@${host}`, 2, 'CONFIRMED', '2027-01-15T11:00:00Z'],
    [`${id}@${host}`, 3, 'CONFIRMED', '2027-01-16T11:00:00Z'],
    [`${id}@${host}`, 4, 'CANCELLED', '2027-01-16T11:00:00Z'],
  ])
})

test('the same state gives the same file, byte for byte', async () => {
  expect((await readEvent()).text).toBe((await readEvent()).text)
})

test('a name with special and multibyte characters is escaped correctly', async () => {
  const name = `Semicolon; comma, back\\slash "quote" BEGIN:VEVENT ${'カ'.repeat(60)}`
  const before = await renameVenue(name)
  const { text, event } = await readEvent()
  await renameVenue(before)
  expect(new ICAL.Event(event).summary).toBe(`Cancelled: ${name}, ${await booked()}2 guests`)
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
})

test('another account’s booking, an unknown and a malformed id are refused', async () => {
  const other = await doors.openAccount('pro')
  const missing = '0197a1f0-0000-7000-8000-000000000000'
  const answers = [await fetchFile(id, other), await fetchFile(missing), await fetchFile('x')]
  const codes = await Promise.all(answers.map(async (one) => (await jsonOf(one)).code))
  expect(codes).toEqual(['booking_not_found', 'booking_not_found', 'invalid_request'])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 400])
  const unknown = await fetch(`${doors.url}/api/bookings/${id}/calendar.ics`)
  expect(unknown.status).toBe(401)
})

test('OpenAPI describes it', async () => {
  const document = await jsonOf(await fetch(`${doors.url}/openapi.json`))
  const { responses, parameters } = document.paths['/api/bookings/{id}/calendar.ics'].get
  expect(responses[200]).toEqual({ $ref: '#/components/responses/BookingCalendarAnswer' })
  const { content } = document.components.responses.BookingCalendarAnswer
  expect(Object.keys(content)).toEqual(['text/calendar; charset=utf-8'])
  expect(parameters).toMatchObject([{ name: 'id', in: 'path', required: true }])
})
