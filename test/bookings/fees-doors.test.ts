import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertFeeAccrual } from '../../src/bookings/store/fees.ts'
import { insertBareBooking } from '../support/bare-booking.ts'
import {
  bearer,
  type Holder,
  jsonOf,
  openPublicDoors,
  type PublicDoors,
  postEnvelope,
} from '../support/open-doors.ts'

let doors: PublicDoors
let holder: Holder
beforeAll(async () => {
  doors = await openPublicDoors()
  holder = await doors.openAccount('free')
  for (const [month, currency, isDemo] of [
    ['2026-10', 'IDR', false],
    ['2026-11', 'IDR', false],
    ['2026-11', 'IDR', true],
    ['2026-11', 'SGD', false],
  ] as const) {
    const { accountId } = holder
    const id = await insertBareBooking(doors.db, accountId)
    const booking = { id, account_id: accountId, is_demo: isDemo }
    const fee = { base_minor: 4000, amount_minor: 100, currency, pct: 2.5 }
    await insertFeeAccrual(doors.db, booking, fee, new Date(`${month}-15T12:00:00Z`))
  }
})
afterAll(() => doors.close())

const read = async (query: string, { key } = holder) => {
  const response = await fetch(`${doors.url}/api/fees${query}`, { headers: bearer(key) })
  return { status: response.status, body: await jsonOf(response) }
}

test('a month in a currency shows its entries and totals, without demo venues', async () => {
  const { status, body } = await read('?month=2026-11&currency=IDR')
  expect(status).toBe(200)
  expect(body.entries).toHaveLength(2)
  const of = { month: '2026-11', currency: 'IDR', entries: 1, total_minor: 100 }
  expect(body.totals).toMatchObject([
    { ...of, is_demo: false },
    { ...of, is_demo: true },
  ])
})

test('each page has the overall totals, and the next page continues', async () => {
  const first = await read('?limit=3')
  expect(first.body.entries).toHaveLength(3)
  expect(first.body.totals).toHaveLength(4)
  const second = await read(`?limit=3&cursor=${first.body.next_cursor}`)
  expect(second.body.entries).toMatchObject([{ created_at: '2026-10-15T12:00:00.000Z' }])
  expect(second.body.totals).toEqual(first.body.totals)
  expect(second.body.next_cursor).toBeNull()
})

test('A2A gives the same answer', async () => {
  const { body } = await postEnvelope(doors.url, holder.key, {
    intent: 'fee.list',
    payload: { month: '2026-10' },
  })
  expect(body.payload).toEqual((await read('?month=2026-10')).body)
})

test('another account sees none of the entries', async () => {
  const other = await doors.openAccount('pro')
  expect((await read('', other)).body).toEqual({ entries: [], totals: [], next_cursor: null })
})

test.each(['?month=2026-13', '?month=2026', '?currency=idr', '?limit=0', '?cursor=nonsense'])(
  '%s is refused',
  async (query) => {
    const { status, body } = await read(query)
    expect([status, body.code]).toEqual([
      400,
      query.startsWith('?cursor') ? 'invalid_cursor' : 'invalid_request',
    ])
  },
)
