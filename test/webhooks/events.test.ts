import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeEvents, writeLedger } from '../support/deliveries.ts'
import {
  bearer,
  type Doors,
  type Holder,
  jsonOf,
  openDoors,
  postEnvelope,
} from '../support/open-doors.ts'
import { makeTraffic } from '../support/traffic.ts'

let doors: Doors
let holder: Holder
let ids: string[]

beforeAll(async () => {
  doors = await openDoors()
  holder = await doors.openAccount('free')
  ids = [
    ...(await writeEvents(doors.db, holder.accountId, 3)),
    ...(await writeEvents(doors.db, holder.accountId, 2, 'fee.accrued')),
  ]
})
afterAll(() => doors?.close())

async function read(path: string, { key } = holder, headers = {}) {
  const response = await fetch(`${doors.url}${path}`, { headers: { ...bearer(key), ...headers } })
  return { status: response.status, body: await jsonOf(response) }
}

test('events are paged forward by number at REST and A2A', async () => {
  const first = await read('/api/events?limit=2')
  expect(first).toMatchObject({ status: 200, body: { next_after: 2, last_number: 5 } })
  expect(first.body.events).toMatchObject([
    { id: ids[0], number: 1, type: 'endpoint.disabled', data: { n: 0 } },
    { id: ids[1], number: 2 },
  ])
  const payload = { after: 2, limit: 100 }
  const rest = await postEnvelope(doors.url, holder.key, { intent: 'event.list', payload })
  expect(rest.body.payload).toEqual((await read('/api/events?after=2')).body)
  expect(rest.body.payload).toMatchObject({ next_after: 5, last_number: 5 })
  expect(rest.body.payload.events.map(({ number }: any) => number)).toEqual([3, 4, 5])
})

test('events are paged backward from the latest at REST and A2A', async () => {
  const first = await read('/api/events/recent?limit=2')
  expect(first).toMatchObject({ status: 200, body: { next_before: 4, last_number: 5 } })
  expect(first.body.events.map(({ number }: any) => number)).toEqual([5, 4])
  const payload = { before: 4, limit: 3 }
  const { body } = await postEnvelope(doors.url, holder.key, { intent: 'event.recent', payload })
  expect(body.payload.events.map(({ number }: any) => number)).toEqual([3, 2, 1])
  expect(body.payload.next_before).toBeNull()
  const fees = await read('/api/events/recent?types=fee.*&before=5')
  expect(fees.body).toMatchObject({ events: [{ number: 4 }], next_before: null })
  const other = await doors.openAccount('free')
  const nothing = { events: [], next_before: null, last_number: 0 }
  expect((await read('/api/events/recent', other)).body).toEqual(nothing)
})

test('paging backward with a rare filter scans in parts and misses nothing', async () => {
  const busy = await doors.openAccount('free')
  await writeLedger(doors.db, busy.accountId, 20_050)
  await doors.db.query(
    `update event set type = 'fee.accrued' where account_id = $1 and number = 7`,
    [busy.accountId],
  )
  const first = (await read('/api/events/recent?types=fee.*', busy)).body
  expect(first).toMatchObject({ events: [], next_before: 51 })
  const second = (await read('/api/events/recent?types=fee.*&before=51', busy)).body
  expect(second).toMatchObject({ events: [{ number: 7 }], next_before: null })
})

test('the events of a booking are read in order, only by its own account', async () => {
  const booker = await doors.openAccount('pro')
  const { bookingId } = await makeTraffic(doors.db, booker.accountId)
  const { status, body } = await read(`/api/bookings/${bookingId}/events`, booker)
  expect(status).toBe(200)
  expect(body.events.map(({ type }: any) => type)).toEqual([
    'booking.held',
    'booking.confirmed',
    'fee.accrued',
  ])
  const other = await doors.openAccount('free')
  const missing = { status: 404, body: { code: 'booking_not_found' } }
  expect(await read(`/api/bookings/${bookingId}/events`, other)).toMatchObject(missing)
})

test('types filter events, and skipped events do not come again', async () => {
  const { body } = await read('/api/events?types=fee.*,booking.held')
  expect(body.events.map(({ number }: any) => number)).toEqual([4, 5])
  const none = await read('/api/events?types=booking.*')
  expect(none.body).toEqual({ events: [], next_after: 5, last_number: 5 })
})

test('an event is read by its id, only by its own account', async () => {
  const one = await read(`/api/events/${ids[4]}`)
  expect(one).toMatchObject({ status: 200, body: { event: { number: 5, type: 'fee.accrued' } } })
  const payload = { id: ids[4] }
  const envelope = await postEnvelope(doors.url, holder.key, { intent: 'event.get', payload })
  expect(envelope.body.payload).toEqual(one.body)
  const other = await doors.openAccount('free')
  const missing = { status: 404, body: { code: 'event_not_found' } }
  expect(await read(`/api/events/${ids[4]}`, other)).toMatchObject(missing)
  expect(await read(`/api/events/${randomUUID()}`)).toMatchObject(missing)
  const nothing = { events: [], next_after: 0, last_number: 0 }
  expect((await read('/api/events', other)).body).toEqual(nothing)
})

test('a waiting read returns on the next event of its own account only', async () => {
  const [one, other] = [await doors.openAccount('free'), await doors.openAccount('free')]
  const waiting = read('/api/events?types=fee.*', one, { prefer: 'wait=30' })
  await writeEvents(doors.db, other.accountId, 1, 'fee.accrued')
  await writeEvents(doors.db, one.accountId, 1)
  await writeEvents(doors.db, one.accountId, 1, 'fee.reversed')
  const { body } = await waiting
  expect(body).toMatchObject({
    events: [{ number: 2, type: 'fee.reversed' }],
    next_after: 2,
    last_number: 2,
  })
  const patience = await read('/api/events?after=2&wait=1', one)
  expect(patience.body).toEqual({ events: [], next_after: 2, last_number: 2 })
})

test.each([
  '?after=-1',
  '?after=x',
  '?after=1.5',
  '?limit=0',
  '?limit=1001',
  '?wait=61',
  '?types=booking',
  '?types=%2C',
  '?types=booking.*,',
  '?since=1',
])('%s is refused', async (query) => {
  expect(await read(`/api/events${query}`)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  })
})

test('reading events needs a key', async () => {
  const response = await fetch(`${doors.url}/api/events`)
  expect(response.status).toBe(401)
})
