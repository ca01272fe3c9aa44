import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { accrueFee } from '../support/fees.ts'
import { balances } from '../support/ledger.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let operator: Browser
let customer: Browser
let path: string
beforeAll(async () => {
  doors = await openDoors()
  operator = await openBrowser(doors, { isOperator: true })
})
afterAll(() => doors?.close())
beforeEach(async () => {
  customer = await openBrowser(doors)
  path = `/dashboard/operators/accounts/${customer.accountId}/ledger`
})

const standing = () => balances(doors.db, customer.accountId)
const audited = async () =>
  (
    await doors.db.query(
      `select action, object_name, details from audit_entry
       where account_id = $1 and actor_kind = 'operator' order by at, id`,
      [customer.accountId],
    )
  ).rows
const correction = (more = {}) => ({
  ...{ correction: 'credit', amount: '2500.50', currency: 'IDR', form: randomUUID() },
  reason: 'Sorry for INC-7',
  sure: 'yes',
  ...more,
})
const invoice = async () => {
  const { rows } = await doors.db.query(
    `select id, status from invoice where account_id = $1 and kind = 'invoice'`,
    [customer.accountId],
  )
  return rows[0] as { id: string; status: string }
}
const close = () => closeMonthsOf(doors.db, customer.accountId, new Date('2026-11-01T01:00:00Z'))

test('a credit is an entry with a reason, audited, and counts once', async () => {
  const form = correction()
  for (let times = 0; times < 2; times += 1) {
    expect((await operator.post(`${path}/correct`, form)).status).toBe(303)
  }
  expect(await standing()).toEqual({ 'IDR credit': -250_050, 'IDR goodwill': 250_050 })
  expect(await audited()).toEqual([
    {
      action: 'ledger.corrected',
      object_name: null,
      details: { correction: 'credit', amount: 'IDR 2,500.50', reason: 'Sorry for INC-7' },
    },
  ])
  const { html } = await operator.get(path)
  expect(html).toContain('Sorry for INC-7')
  expect(html).toContain('goodwill')
})

test('an addition to the next invoice becomes a line with its reason', async () => {
  await accrueFee(doors.db, { accountId: customer.accountId, minor: 500 })
  const added = correction({ correction: 'charge', amount: '10', reason: 'Missed fee' })
  await operator.post(`${path}/correct`, added)
  await closeMonthsOf(doors.db, customer.accountId, new Date(Date.now() + 40 * 86_400_000))
  const { rows } = await doors.db.query(
    `select l.kind, description, l.amount_minor from invoice_line l
     join invoice i on i.id = l.invoice_id where account_id = $1 and l.kind = 'adjustment'`,
    [customer.accountId],
  )
  expect(rows).toEqual([{ kind: 'adjustment', description: 'Missed fee', amount_minor: 1_000 }])
})

test.each([
  ['no reason', { reason: '' }],
  ['more decimals than the currency has', { amount: '1.234' }],
  ['decimals of a currency without', { amount: '1.5', currency: 'VND' }],
  ['no amount', { amount: '0' }],
  ['a negative amount', { amount: '-5' }],
  ['no currency', { currency: 'rupiah' }],
  ['another kind', { correction: 'steal' }],
  ['more credit than there is', { correction: 'take_back', amount: '1' }],
])('%s is refused and changes nothing', async (_, wrong) => {
  expect((await operator.post(`${path}/correct`, correction(wrong))).status).toBe(400)
  expect([await standing(), await audited()]).toEqual([{}, []])
})

test('an open invoice is reversed by a credit note, once', async () => {
  await accrueFee(doors.db, { accountId: customer.accountId, minor: 500 })
  await close()
  const { id } = await invoice()
  const form = { invoice: id, reason: 'Wrong rate', sure: 'yes' }
  expect((await operator.post(`${path}/void`, { invoice: id })).status).toBe(400)
  for (let times = 0; times < 2; times += 1) {
    expect((await operator.post(`${path}/void`, form)).status).toBe(303)
  }
  expect(await invoice()).toMatchObject({ status: 'void' })
  expect(await standing()).toEqual({})
  expect(await audited()).toMatchObject([{ action: 'invoice.voided' }])
  const own = await customer.get('/dashboard/invoices')
  expect(own.html).toContain('credit note')
  const note = /href="(\/dashboard\/invoices\/[^"]+)"[^>]*>INV-[0-9A-F]+-0002/.exec(own.html)?.[1]
  expect((await customer.get(note ?? '')).html).toContain('Wrong rate')
})

test('only operators find these pages, and only for existing accounts', async () => {
  expect((await customer.get(path)).status).toBe(404)
  expect((await customer.post(`${path}/correct`, correction())).status).toBe(404)
  const none = `/dashboard/operators/accounts/${randomUUID()}/ledger`
  expect((await operator.get(none)).status).toBe(404)
  expect((await operator.post(`${none}/correct`, correction())).status).toBe(404)
})
