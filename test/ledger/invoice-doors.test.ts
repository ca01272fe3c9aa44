import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { settleInvoice } from '../../src/ledger/steps/settle-invoice.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { callsAt, webhookDoors } from '../support/endpoint-calls.ts'
import { accrueFee } from '../support/fees.ts'
import { bearer, type Doors, type Holder, jsonOf, openDoors } from '../support/open-doors.ts'

let doors: Doors
let holder: Holder
let stranger: Holder
beforeAll(async () => {
  doors = await openDoors()
  holder = await doors.openAccount('pro')
  stranger = await doors.openAccount('pro')
  const { accountId } = holder
  await accrueFee(doors.db, { accountId, minor: 700_000 })
  await accrueFee(doors.db, { accountId, minor: 385, currency: 'SGD', isReversed: true })
  await closeMonthsOf(doors.db, accountId, new Date('2026-11-01T01:00:00Z'))
  await accrueFee(doors.db, { accountId, minor: 2_500, at: '2026-11-03T00:00:00Z' })
})
afterAll(() => doors?.close())

const get = (path: string, more = {}, key = holder.key) =>
  fetch(`${doors.url}${path}`, { headers: { ...bearer(key), ...more } })
const idOf = async (currency: string): Promise<string> =>
  (await jsonOf(await get(`/api/invoices?currency=${currency}`))).invoices[0].id

describe.each(webhookDoors)('at %s', (door) => {
  const call = () =>
    callsAt(
      door,
      () => doors,
      () => holder,
    )

  test('an account reads its invoices, one with its lines, and its balance', async () => {
    const { body } = await call()('invoice.list', { month: '2026-10' })
    expect(body.invoices).toMatchObject([
      { currency: 'SGD', total_minor: 0, status: 'paid' },
      { currency: 'IDR', total_text: 'IDR 7,000', due_text: 'IDR 7,000', status: 'open' },
    ])
    const { id } = body.invoices[0]
    const one = (await call()('invoice.get', { id })).body
    expect(one.invoice).toMatchObject({ id, is_test: false })
    expect(one.lines).toMatchObject([
      { kind: 'fee', text: 'SGD 3.85', base_text: 'SGD 154', pct: 2.5, party_size: 2 },
      { kind: 'reversal', text: '-SGD 3.85' },
    ])
    expect((await call()('balance.get')).body.balances).toMatchObject([
      { currency: 'IDR', due_text: 'IDR 7,000', unbilled_text: 'IDR 25', credit_minor: 0 },
      { currency: 'SGD', due_minor: 0, unbilled_minor: 0 },
    ])
  })
})

test('invoices are paged', async () => {
  const first = await jsonOf(await get('/api/invoices?limit=1'))
  const second = await jsonOf(await get(`/api/invoices?limit=1&cursor=${first.next_cursor}`))
  expect([first.invoices[0].currency, second.invoices[0].currency]).toEqual(['SGD', 'IDR'])
  expect(second.next_cursor).toBeNull()
})

test('its lines are CSV on request', async () => {
  const csv = await get(`/api/invoices/${await idOf('SGD')}/lines`, { accept: 'text/csv' })
  const [head, ...rows] = (await csv.text()).trim().split('\r\n')
  expect(head).toContain('position,at,kind,description,booking_id')
  expect(rows).toHaveLength(2)
  expect(rows[1]).toContain('reversal')
})

test.each(['', '/lines'])('nobody else reads `%s` of an invoice', async (part) => {
  const path = `/api/invoices/${await idOf('IDR')}${part}`
  const refused = await get(path, {}, stranger.key)
  expect(refused.status).toBe(404)
  expect(await jsonOf(refused)).toMatchObject({ code: 'invoice_not_found' })
})

test('the fee of a booking is accrued, then invoiced, then settled', async () => {
  const { accountId, key } = await doors.openAccount('pro')
  const { bookingId, feeId } = await accrueFee(doors.db, { accountId, minor: 900 })
  await doors.db.query('update venue set is_demo = false')
  await doors.db.query(
    `update booking set status = 'completed', fee_status = 'accrued', reason_code = null
     where id = $1`,
    [bookingId],
  )
  const fee = async () =>
    (await jsonOf(await get(`/api/bookings/${bookingId}`, {}, key))).booking.fee
  expect(await fee()).toMatchObject({ status: 'accrued' })
  await closeMonthsOf(doors.db, accountId, new Date('2026-11-01T01:00:00Z'))
  expect(await fee()).toMatchObject({ status: 'invoiced', amount_minor: 900 })
  const { invoices } = await jsonOf(await get('/api/invoices', {}, key))
  const { entries } = await jsonOf(await get('/api/fees', {}, key))
  expect(entries).toMatchObject([{ id: feeId, invoice_id: invoices[0].id }])
  const payment = { sourceKind: 'payment', sourceId: feeId, at: new Date() }
  await transaction(doors.db, (tx) => settleInvoice(tx, invoices[0].id, payment))
  expect(await fee()).toMatchObject({ status: 'settled' })
})
