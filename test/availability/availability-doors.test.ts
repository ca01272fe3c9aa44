import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, dateOf, toLocal } from '../../src/base/local-time.ts'
import { slot } from '../../src/contract/public.ts'
import { callTool } from '../support/mcp-tool.ts'
import {
  bearer,
  type Doors,
  type Holder,
  jsonOf,
  openDoors,
  postEnvelope,
} from '../support/open-doors.ts'
import { addVenue } from '../support/test-venues.ts'

let doors: Doors
let free: Holder
let slug: string

beforeAll(async () => {
  doors = await openDoors()
  free = await doors.openAccount('free')
  slug = (await addVenue(doors.db)).slug
})
afterAll(() => doors.close())

const today = () => dateOf(toLocal('Asia/Makassar', new Date()))

async function ask(query: string, venue = slug) {
  const path = `${doors.url}/api/venues/${venue}/availability${query}`
  const response = await fetch(path, { headers: bearer(free.key) })
  return { status: response.status, body: await jsonOf(response) }
}

test('the default is today at the venue, for two', async () => {
  const { status, body } = await ask('')
  expect(status).toBe(200)
  expect(body).toMatchObject({ venue: { slug }, timezone: 'Asia/Makassar', party_size: 2 })
  expect(body.days.map(({ date }: { date: string }) => date)).toEqual([today()])
})

test('a day shows every field of every slot', async () => {
  const date = addDays(today(), 2)
  const { body } = await ask(`?date=${date}&party_size=4&detail=full`)
  expect(body.days).toMatchObject([{ date, status: 'available', reason: null }])
  const [first] = body.days[0].slots
  // This venue requires no deposits, and has one service without a price.
  const { deposits: _, price: _price, also: _also, sessions: _led, ...shape } = slot.shape
  expect(Object.keys(first).sort()).toEqual(Object.keys(shape).sort())
  expect(first).toMatchObject({
    slot_time: `${date}T10:00:00`,
    utc_offset: '+08:00',
    starts_at: `${date}T02:00:00.000Z`,
    ends_at: `${date}T03:30:00.000Z`,
    status: 'available',
    places_left: 3,
    party_min: 1,
    confirm_mode: 'auto',
    cancel_until: `${date}T00:00:00.000Z`,
  })
})

test('the default says what slots have in common once', async () => {
  const date = addDays(today(), 2)
  const { body } = await ask(`?date=${date}&party_size=4`)
  const { times } = body.days[0]
  expect(body).toEqual({
    detail: 'compact',
    venue: expect.objectContaining({ slug }),
    timezone: 'Asia/Makassar',
    utc_offset: '+08:00',
    party_min: 1,
    party_max: 8,
    confirm_mode: 'auto',
    typical_spend: expect.stringMatching(/^about IDR [\d,]+ per guest$/),
    fee: expect.objectContaining({ currency: 'IDR' }),
    cancelling: expect.stringMatching(/^free until [\d.]+ h before$/),
    party_size: 4,
    days: [{ date, status: 'available', times }],
  })
  expect(times.slice(0, 2)).toEqual(['10:00', '10:30'])
})

test('terms that slots do not share are stated with the times they apply to', async () => {
  const every = [1, 2, 3, 4, 5, 6, 7]
  const hours = (open: string, close: string) => every.map((day) => ({ day, open, close }))
  const venue = await addVenue(doors.db, [
    {
      name: 'Private lesson',
      rules: {
        price: { amount_minor: 90_000_000, per: 'booking' },
        cancel_cutoff_minutes: 1440,
        windows: hours('11:00', '13:30'),
      },
    },
    { name: 'Class', rules: { cancel_cutoff_minutes: 120, windows: hours('10:00', '13:30') } },
  ])
  const date = addDays(today(), 3)
  const { body } = await ask(`?date=${date}&days=2&party_size=2`, venue.slug)
  expect(body.terms_differ).toEqual([
    {
      services: ['Class'],
      times: ['10:00', '10:30'],
      typical_spend: expect.stringMatching(/per guest$/),
      fee: { base_per_guest_minor: 25_000_000 },
      cancelling: 'free until 2 h before',
    },
    {
      services: ['Private lesson'],
      fee: { base_per_booking_minor: 90_000_000 },
      cancelling: 'free until 24 h before',
    },
  ])
  expect(body.fee).toEqual({ pct: 2.5, currency: 'IDR', charged_to: 'your account, not the guest' })
  for (const name of ['typical_spend', 'cancelling']) expect(body).not.toHaveProperty(name)
  expect(body).toMatchObject({ utc_offset: '+08:00', confirm_mode: 'auto' })
})

test('the three doors give the same answer', async () => {
  const input = { slug, date: addDays(today(), 3), days: 2, party_size: 2 }
  const { body } = await ask(`?date=${input.date}&days=2&party_size=2`)
  const envelope = { intent: 'venue.availability', payload: input }
  const a2a = (await postEnvelope(doors.url, free.key, envelope)).body.payload
  const mcp = await callTool(doors.url, free.key, 'check_availability', input)
  for (const other of [a2a, mcp]) expect(other).toEqual(body)
  expect(body.days).toHaveLength(2)
})

test('a range can be given by its end, and a venue by its id', async () => {
  const { rows } = await doors.db.query('select id from venue where slug = $1', [slug])
  const { body } = await ask(`?date=${addDays(today(), 1)}&to=${addDays(today(), 14)}`, rows[0].id)
  expect(body.days).toHaveLength(14)
})

describe('an impossible query is refused', () => {
  test.each([
    ['a date that does not exist', '?date=2026-02-30', 400, 'invalid_request'],
    ['a date with a time', '?date=2027-01-01T19:00:00', 400, 'invalid_request'],
    ['a non-numeric number of days', '?days=0', 400, 'invalid_request'],
    ['more than 14 days', '?days=15', 400, 'invalid_request'],
    ['a non-numeric party', '?party_size=two', 400, 'invalid_request'],
    ['half a guest', '?party_size=1.5', 400, 'invalid_request'],
    ['a past day', '?date=2026-01-01', 422, 'slot_in_past'],
    ['a day beyond the horizon', '?date=2999-01-01', 422, 'beyond_horizon'],
    ['nobody', '?party_size=0', 422, 'party_too_small'],
    ['a negative party', '?party_size=-1', 422, 'party_too_small'],
    ['a crowd', '?party_size=1000000000', 422, 'party_too_large'],
  ])('%s', async (_, query, status, code) => {
    const answer = await ask(query)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  test('with both `days` and `to`, with a reversed range, and at an unknown venue', async () => {
    const date = addDays(today(), 5)
    expect((await ask(`?date=${date}&to=${date}&days=1`)).body.code).toBe('invalid_request')
    expect((await ask(`?date=${date}&to=${addDays(date, -1)}`)).body.code).toBe('invalid_request')
    expect((await ask(`?date=${date}&to=${addDays(date, 14)}`)).body.code).toBe('invalid_request')
    expect((await ask('', 'nowhere')).body.code).toBe('venue_not_found')
  })

  test('with the valid limits', async () => {
    expect((await ask('?party_size=9')).body).toMatchObject({ party_min: 1, party_max: 8 })
    expect((await ask('?date=2999-01-01')).body).toMatchObject({ latest: addDays(today(), 30) })
    expect((await ask('?date=2026-01-01')).body).toMatchObject({ earliest: today() })
  })
})
