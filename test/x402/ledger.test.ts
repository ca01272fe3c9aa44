import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../src/base/durations.ts'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { findSlot, openAgent } from '../support/agent.ts'
import { accrueFee } from '../support/fees.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { runOnce } from '../support/scheduled-runs.ts'
import { openWallet, posting } from './pay.ts'

let service: Service

beforeAll(async () => {
  service = await openService({ X402_FACILITATOR: 'local' })
})
afterAll(() => service.close())

const entriesOf = async (accountId: string) =>
  (
    await service.db.query(
      `select kind, currency, debit, credit, amount_minor::int as minor from ledger_entry
       where account_id = $1 and source_kind like 'x402%' order by at, source_kind, kind, currency`,
      [accountId],
    )
  ).rows

test('a payment adds cash and credit, and its refund to the wallet removes both', async () => {
  const free = await openAgent(service.db, service.url, 'free')
  const wallet = await openWallet(service.db)
  const full = await wallet.balance()
  // Days ahead, so that cancelling is free.
  const slot = await findSlot(service.agent, 'dinner for 2')
  await service.db.query('update venue set is_demo = false where id = $1', [slot.venue_id])
  const key = { authorization: `Bearer ${free.key}` }
  const answer = await wallet.fetch(`${service.url}/api/bookings`, posting(slot, key))
  const { booking, payment } = (await answer.json()) as any
  const paid = Number(payment.amount)
  const fee = booking.fee.amount_minor
  const common = { kind: 'paid' }
  expect(await entriesOf(free.accountId)).toEqual([
    { ...common, currency: booking.fee.currency, debit: 'exchange', credit: 'credit', minor: fee },
    { ...common, currency: 'XUC', debit: 'cash', credit: 'exchange', minor: paid },
  ])
  await free.post(`/api/bookings/${booking.id}/cancel`, {})
  await eventually('the proof of the refund', async () => {
    await runOnce(service.client, 'sweep')
    const states = 'select state from x402_payment where booking_id = $1'
    return (await service.db.query(states, [booking.id])).rows[0]?.state === 'refunded'
  })
  expect(await wallet.balance()).toBe(full)
  const sums = await service.db.query(
    `select name, currency, sum(minor)::int as balance from (
       select debit as name, currency, amount_minor as minor from ledger_entry where account_id = $1
       union all
       select credit, currency, -amount_minor from ledger_entry where account_id = $1) e
     group by 1, 2 having sum(minor) <> 0`,
    [free.accountId],
  )
  expect(sums.rows).toEqual([])
})

test('the refund of a payment for an invoice is charged on the next invoice', async () => {
  const free = await openAgent(service.db, service.url, 'free')
  const wallet = await openWallet(service.db)
  const full = await wallet.balance()
  const slot = await findSlot(service.agent, 'dinner for 2')
  await service.db.query('update venue set is_demo = false where id = $1', [slot.venue_id])
  const key = { authorization: `Bearer ${free.key}` }
  const answer = await wallet.fetch(`${service.url}/api/bookings`, posting(slot, key))
  const { booking } = (await answer.json()) as any
  const closeAfter = (days: number) =>
    closeMonthsOf(service.db, free.accountId, new Date(Date.now() + days * DAY_MS))
  await closeAfter(40)
  await free.post(`/api/bookings/${booking.id}/cancel`, {})
  await eventually('the refund', async () => {
    await runOnce(service.client, 'sweep')
    return (await wallet.balance()) === full
  })
  const { amount_minor: fee, currency } = booking.fee
  const at = new Date().toISOString()
  await accrueFee(service.db, { accountId: free.accountId, minor: 4 * fee, currency, at })
  await closeAfter(80)
  expect((await free.get('/api/balance')).body.balances).toContainEqual(
    expect.objectContaining({ currency, unbilled_minor: 0, due_minor: 4 * fee, credit_minor: 0 }),
  )
})
