import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingStart, SubmittedCommand } from '../../src/bookings/rules/booking-messages.ts'
import { countStuckBookings } from '../../src/bookings/store/stuck-bookings.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { requestDaysAhead, writeRequest } from '../support/requests.ts'
import { makeTraffic } from '../support/traffic.ts'

const PATH = '/dashboard/operators/bookings'

let doors: Doors
let operator: Browser
let developer: Browser
let ran: { start: BookingStart; command: SubmittedCommand }[]

beforeAll(async () => {
  doors = await openDoors({ TEMPORAL_UI_URL: 'https://temporal.example' })
  operator = await openBrowser(doors, { isOperator: true })
  developer = await openBrowser(doors, { tier: 'pro' })
  doors.engine.command = async (start, command) => {
    ran.push({ start, command })
    return 'pending'
  }
})
afterAll(() => doors?.close())
beforeEach(() => {
  ran = []
})

const change = (id: string, set: string) =>
  doors.db.query(`update booking set ${set} where id = $1`, [id])

const command = (id: string, failures: number, answer: object | null) =>
  doors.db.query(
    `insert into command (id, booking_id, kind, input, door, created_at, failures, answer)
     values ($1, $2, 'cancel', '{"note": "guest is ill"}', 'rest', now(), $3, $4)`,
    [randomUUIDv7(), id, failures, answer],
  )

const waitingCommand = (id: string) =>
  doors.db.query(
    `insert into command (id, booking_id, kind, input, door, created_at)
     values ($1, $2, 'cancel', '{}', 'rest', now() - interval '130 seconds')`,
    [randomUUIDv7(), id],
  )

const late = `now() - interval '6 minutes'`
const refusal = { code: 'internal_error', message: 'x', facts: {} }

/** How a booking gets stuck, and what the page says about it. */
const ways: [what: string, todo: string, stick: (id: string) => Promise<unknown>][] = [
  ['Action overdue', 'Wake the booking', (id) => change(id, `next_action_at = ${late}`)],
  [
    'Past its answer-by time',
    'should have ended',
    (id) => change(id, `status = 'pending', answer_by = ${late}`),
  ],
  ['Command waiting', 'Wake it', waitingCommand],
  ['Command failing', 'The log has the error', (id) => command(id, 3, null)],
  ['Command given up', 'send it again', (id) => command(id, 10, { refusal })],
  ['Venue not told', 'Call the venue', (id) => change(id, `venue_sync = 'given_up'`)],
]

test.each(ways)('%s: is listed with what to do', async (what, todo, stick) => {
  // A separate account, as bookings per account, venue and day are limited.
  const { bookingId } = await makeTraffic(doors.db, (await doors.openAccount('pro')).accountId)
  const listed = async () => (await operator.get(PATH)).html
  expect(await listed()).not.toContain(bookingId)
  await stick(bookingId)
  const html = await listed()
  const row = html.slice(html.lastIndexOf('<tr>', html.indexOf(bookingId)))
  expect(row.slice(0, row.indexOf('</tr>'))).toContain(what)
  expect(row.slice(0, row.indexOf('</tr>'))).toContain(todo)
  const page = await operator.get(`${PATH}/${bookingId}`)
  expect(page.html).toContain(what)
  expect(page.html).toMatch(/<dt>Service<\/dt><dd>\w/)
  expect(page.html).toContain(`workflows/booking%2F${bookingId}`)
  expect(page.html).not.toContain('guest is ill')
})

test('the number of overdue bookings counts only those that the page lists', async () => {
  const { bookingId } = await makeTraffic(doors.db, developer.accountId)
  const undecide = `update request set answer = null, created_at = ${late} where booking_id = $1`
  const before = await countStuckBookings(doors.db, new Date())
  // The waiting part of an itinerary has a booking with its own next action.
  await doors.db.query(undecide, [bookingId])
  expect(await countStuckBookings(doors.db, new Date())).toBe(before)
})

test('overdue bookings of sandboxes leave room for those of live accounts', async () => {
  const sandbox = await doors.openAccount('pro')
  const { bookingId: testBooking } = await makeTraffic(doors.db, sandbox.accountId)
  await doors.db.query(
    `with one as (select * from booking where id = $1), ids as (
       select uuidv7() as id from generate_series(1, 60))
     insert into request select (jsonb_populate_record(r, jsonb_build_object('booking_id', ids.id,
       'natural_key', '\\x' || md5(ids.id::text)))).*
     from request r, ids where r.booking_id = $1`,
    [testBooking],
  )
  await doors.db.query(
    `insert into booking select (jsonb_populate_record(b, jsonb_build_object('id', r.booking_id,
       'next_action_at', now() - interval '30 days'))).*
     from booking b, request r where b.id = $1 and r.account_id = $2 and r.booking_id <> $1`,
    [testBooking, sandbox.accountId],
  )
  await doors.db.query(
    `update account set mode = 'test', live_account_id = $2, sandbox_kind = 'default'
     where id = $1`,
    [sandbox.accountId, developer.accountId],
  )
  const { bookingId } = await makeTraffic(doors.db, developer.accountId)
  await change(bookingId, `next_action_at = ${late}`)
  const { html } = await operator.get(PATH)
  expect(html).toContain(bookingId)
  expect(html).not.toContain(testBooking)
})

test('a request that was never decided is listed and has a page', async () => {
  const at = new Date(Date.now() - 360_000)
  const bookingId = randomUUIDv7()
  const start = { ...(await requestDaysAhead(doors.db, { at })), ...developer, bookingId }
  await writeRequest(doors.db, start, at)
  expect((await operator.get(PATH)).html).toContain('Not decided')
  expect((await operator.get(`${PATH}/${bookingId}`)).html).toContain('undecided')
})

const reason = 'the guest called'

test.each([
  ['cancel', 'booking.cancelled', { kind: 'cancel', input: { by: 'operator', reason } }],
  ['retry', 'booking.retried', { kind: 'wake', input: {} }],
  ['wake', 'booking.woken', { kind: 'wake', input: {} }],
])('an operator can %s a booking with a reason, which is audited', async (name, action, given) => {
  const { bookingId } = await makeTraffic(doors.db, developer.accountId)
  const path = `${PATH}/${bookingId}/${name}`
  expect((await developer.post(path, { reason })).status).toBe(404)
  expect((await operator.post(path)).html).toContain('Give a reason')
  expect(ran).toEqual([])
  const answer = await operator.post(path, { reason })
  expect(answer.headers.get('location')).toBe(`${PATH}/${bookingId}?done=pending`)
  expect(ran).toMatchObject([{ start: { bookingId }, command: given }])
  const stored = await doors.db.query('select kind, input, door from command where id = $1', [
    ran[0]?.command.id,
  ])
  expect(stored.rows).toEqual([{ ...given, door: 'dashboard' }])
  const { rows } = await doors.db.query(
    `select actor_kind, actor_id, address, details from audit_entry
     where account_id = $1 and action = $2 and object_id = $3`,
    [developer.accountId, action, bookingId],
  )
  const by = { actor_kind: 'operator', actor_id: operator.developerId, address: '127.0.0.1' }
  expect(rows).toEqual([{ ...by, details: { reason } }])
})

test('the page asks before it cancels, and states the consequences', async () => {
  const { bookingId } = await makeTraffic(doors.db, developer.accountId)
  expect((await operator.get(`${PATH}/${bookingId}`)).html).toContain(`${bookingId}/cancel"`)
  const { html } = await operator.get(`${PATH}/${bookingId}/cancel`)
  expect(html).toContain('Nobody pays: the fee is taken back')
  expect(html).toContain('Keep it')
  expect((await developer.get(`${PATH}/${bookingId}/cancel`)).status).toBe(404)
  expect(ran).toEqual([])
})

test('a retry repeats a command that was given up, as of its original time', async () => {
  const { bookingId } = await makeTraffic(doors.db, developer.accountId)
  await command(bookingId, 10, { refusal })
  await operator.post(`${PATH}/${bookingId}/retry`, { reason })
  const { rows } = await doors.db.query(
    `select input, answer,
       created_at - min(created_at) over () < interval '1 ms' as is_as_of_then from command
     where booking_id = $1 order by answer is null`,
    [bookingId],
  )
  expect(rows).toEqual([
    { input: { note: 'guest is ill' }, answer: { refusal }, is_as_of_then: true },
    { input: { note: 'guest is ill' }, answer: null, is_as_of_then: true },
  ])
})

test('waking an endpoint announces what is due and is audited', async () => {
  const { endpointId } = await makeTraffic(doors.db, developer.accountId)
  const due: unknown[] = []
  doors.engine.announceDue = async (start) => void due.push(start)
  const path = `/dashboard/operators/endpoints/${endpointId}/wake`
  expect((await developer.post(path)).status).toBe(404)
  expect((await operator.post(path)).status).toBe(303)
  expect(due).toEqual([{ endpointId, accountId: developer.accountId }])
  const { rows } = await doors.db.query(
    `select 1 from audit_entry where action = 'endpoint.woken' and object_id = $1`,
    [endpointId],
  )
  expect(rows).toHaveLength(1)
})
