import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  bearer,
  type Doors,
  type Holder,
  jsonOf,
  openDoors,
  postEnvelope,
} from '../support/open-doors.ts'

let doors: Doors
let holder: Holder
let venues: { id: string; slug: string }[]

/** Alternates between two venues, on five days that are out of order. */
const days = ['2027-01-15', '2027-01-17', '2027-01-16', '2027-01-18', '2027-01-14']

beforeAll(async () => {
  doors = await openDoors()
  holder = await doors.openAccount('pro')
  const { rows } = await doors.db.query('select id, slug from venue order by slug limit 3')
  venues = rows
  for (const [n, day] of days.entries()) await book(venues[n % 2]?.id, `${day}T23:30:00`)
})
afterAll(() => doors?.close())

async function book(venue_id: string | undefined, slot_time: string, more = {}, { key } = holder) {
  const response = await fetch(`${doors.url}/api/bookings`, {
    method: 'POST',
    headers: {
      ...bearer(key),
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ venue_id, slot_time, party_size: 2, wait: 0, ...more }),
  })
  return (await jsonOf(response)).booking
}

async function list(query: Record<string, string>, { key } = holder) {
  const address = `${doors.url}/api/bookings?${new URLSearchParams(query)}`
  const response = await fetch(address, { headers: bearer(key) })
  const body = await jsonOf(response)
  const days = body.bookings?.map(({ slot_time }: any) => slot_time.slice(0, 10))
  return { status: response.status, body, days }
}

test('the list is filtered by local dates of the slot, inclusive', async () => {
  const newestFirst = days.toReversed()
  expect((await list({})).days).toEqual(newestFirst)
  const from = await list({ from: '2027-01-16' })
  expect(from.days).toEqual(newestFirst.filter((day) => day >= '2027-01-16'))
  const to = await list({ to: '2027-01-16' })
  expect(to.days).toEqual(newestFirst.filter((day) => day <= '2027-01-16'))
  expect((await list({ from: '2027-01-16', to: '2027-01-16' })).days).toEqual(['2027-01-16'])
  expect((await list({ from: '2027-02-01' })).body).toEqual({ bookings: [], next_cursor: null })
})

test('the list is filtered by guest, and leaves out what was refused unless asked', async () => {
  const agent = await doors.openAccount('pro')
  const one = await book(venues[0]?.id, '2027-01-15T19:00:00', { guest_ref: 'ayu' }, agent)
  const other = await book(venues[1]?.id, '2027-01-16T19:00:00', { guest_ref: 'budi' }, agent)
  const refused = await book(venues[1]?.id, '2027-01-17T19:00:00', { guest_ref: 'ayu' }, agent)
  await doors.db.query(
    `update request set answer = '{"refusal": {"code": "slot_unavailable"}}' where booking_id = $1`,
    [refused.id],
  )
  const idsOf = async (query: Record<string, string>) =>
    (await list(query, agent)).body.bookings.map(({ id }: any) => id)
  expect(await idsOf({})).toEqual([other.id, one.id])
  expect(await idsOf({ include_failed: 'true' })).toEqual([refused.id, other.id, one.id])
  expect(await idsOf({ guest_ref: 'ayu' })).toEqual([one.id])
  expect(await idsOf({ guest_ref: 'ayu', include_failed: 'true' })).toEqual([refused.id, one.id])
  expect(await idsOf({ guest_ref: 'ayu', status: 'failed' })).toEqual([refused.id])
  expect(await idsOf({ venue: venues[1]?.slug ?? '' })).toEqual([other.id])
  expect(await idsOf({ guest_ref: 'citra' })).toEqual([])
  await doors.db.query(`update request set from_agent = 'Claude' where guest_ref = 'ayu'`)
  expect(await idsOf({ booked_by: 'Claude' })).toEqual([one.id])
  expect(await idsOf({ booked_by: 'claude' })).toEqual([])
})

test('an amended booking is found at its new time', async () => {
  const mover = await doors.openAccount('pro')
  const { id } = await book(venues[0]?.id, '2027-01-15T19:00:00', {}, mover)
  await doors.db.query(
    `insert into booking (id, account_id, venue_id, service_id, rule_version, status, revision,
       slot_time, starts_at, ends_at, party_size, cancel_until, next_action_at, created_at,
       updated_at)
     select $1, $2, o.venue_id, o.id, o.rule_version, 'confirmed', 2, '2027-01-20T19:00',
       '2027-01-20T11:00Z', '2027-01-20T13:00Z', 2, now(), now(), now(), now()
     from service o where o.venue_id = $3 limit 1`,
    [id, mover.accountId, venues[0]?.id],
  )
  expect((await list({ to: '2027-01-15' }, mover)).days).toEqual([])
  expect((await list({ from: '2027-01-20' }, mover)).body.bookings).toMatchObject([{ id }])
})

test('the list of one venue, by slug or id, is paged and combines with other filters', async () => {
  const [venue] = venues
  const first = await list({ venue: venue?.slug ?? '', limit: '2' })
  expect(first.days).toEqual(['2027-01-14', '2027-01-16'])
  const cursor = first.body.next_cursor
  const second = await list({ venue: venue?.id ?? '', limit: '2', cursor })
  expect(second.days).toEqual(['2027-01-15'])
  expect(second.body.next_cursor).toBeNull()
  const both = await list({ venue: venue?.slug ?? '', from: '2027-01-15', status: 'pending' })
  expect(both.days).toEqual(['2027-01-16', '2027-01-15'])
  const none = await list({ venue: venue?.slug ?? '', status: 'confirmed' })
  expect(none.body).toEqual({ bookings: [], next_cursor: null })
  expect((await list({ venue: venues[2]?.slug ?? '' })).days).toEqual([])
})

test('A2A gives the same answer', async () => {
  const payload = { venue: venues[1]?.slug, from: '2027-01-17', to: '2027-01-17' }
  const { body } = await postEnvelope(doors.url, holder.key, { intent: 'booking.list', payload })
  const rest = await list({ venue: venues[1]?.slug ?? '', from: '2027-01-17', to: '2027-01-17' })
  expect(body.payload).toEqual(rest.body)
  expect(rest.days).toEqual(['2027-01-17'])
})

test.each([
  ['a nonexistent venue', { venue: 'no-such-venue' }, 404, 'venue_not_found'],
  ['a period that ends before it begins', { from: '2027-01-16', to: '2027-01-15' }, 400],
  ['a time instead of a date', { from: '2027-01-16T00:00:00Z' }, 400],
  ['a nonexistent date', { to: '2027-02-30' }, 400],
] as [string, Record<string, string>, number, string?][])(
  '%s is refused',
  async (_what, query, status, code = 'invalid_request') => {
    expect(await list(query)).toMatchObject({ status, body: { code } })
  },
)

test('a booking shows its own reminders, or the default ones', async () => {
  const agent = await doors.openAccount('pro')
  const shown: unknown[] = []
  for (const more of [{ reminders: [60, 5] }, { reminders: [] }, {}]) {
    const { id } = await book(venues[0]?.id, '2027-01-15T19:00:00', more, agent)
    const response = await fetch(`${doors.url}/api/bookings/${id}`, { headers: bearer(agent.key) })
    shown.push((await jsonOf(response)).booking.reminders)
  }
  expect(shown).toEqual([[60, 5], [], [1440, 120]])
})
