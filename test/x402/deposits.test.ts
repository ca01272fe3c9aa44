import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DepositRule } from '../../src/availability/rules/deposit.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { returnDeposits } from '../../src/bookings/steps/deposits.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectBookingStart } from '../../src/bookings/store/booking-starts.ts'
import { setDeposit } from '../../src/commands/venue-deposits.ts'
import { byCommand } from '../../src/contract/audit.ts'
import { DAY_MS, HOUR_MS } from '../../src/contract/rules/durations.ts'
import { closeMonths } from '../../src/ledger/steps/close-months.ts'
import { decideDispute } from '../../src/operators/operations/decide-dispute.ts'
import { findViolations } from '../../tools/proof/invariants.ts'
import { type Agent, openAgent } from '../support/agent.ts'
import { storeCommand } from '../support/commands.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { slotWithDeposit } from '../support/slot-with-deposit.ts'
import { stepDeps } from '../support/terms.ts'
import { decoded, openWallet, posting } from './pay.ts'

const DEPOSIT = 5_000_000
const rule: DepositRule = { kind: 'deposit', amount_minor: DEPOSIT, per: 'guest', party_min: 2 }

let service: Service
const bookings = () => `${service.url}/api/bookings`

beforeAll(async () => {
  service = await openService({ X402_FACILITATOR: 'local' })
})
afterAll(() => service.close())

/** Books with an unmodified client; without an agent from the wallet alone. */
async function pay(agent?: Agent) {
  const { request, slot } = await slotWithDeposit(service.db, rule)
  const wallet = await openWallet(service.db, 50)
  const headers: Record<string, string> = agent ? { authorization: `Bearer ${agent.key}` } : {}
  const response = await wallet.fetch(bookings(), posting(request, headers))
  const text = await response.text()
  expect(response.status, text).toBe(201)
  const { booking, payment } = JSON.parse(text)
  return { booking, payment, wallet, startsAt: new Date(slot.starts_at) }
}

const paymentOf = async (bookingId: string) =>
  (await service.db.query('select * from x402_payment where booking_id = $1', [bookingId])).rows[0]

/** What the ledger accounts of the booking's account hold, those that are empty left out. */
async function balancesOf(bookingId: string) {
  const { rows } = await service.db.query(
    `select currency || ' ' || name as name, sum(minor)::int as balance from (
       select account_id, debit as name, currency, amount_minor as minor from ledger_entry
       union all
       select account_id, credit, currency, -amount_minor from ledger_entry) e
     where account_id = (select account_id from request where booking_id = $1)
     group by 1 having sum(minor) <> 0`,
    [bookingId],
  )
  return Object.fromEntries(rows.map(({ name, balance }) => [name, balance]))
}

const hours = (from: Date, count: number) => new Date(from.getTime() + count * HOUR_MS)

/** Cancels as the agent would at a time; nobody waits for that time. */
async function cancelAt(bookingId: string, at: Date) {
  const start = await selectBookingStart(service.db, bookingId)
  const id = await storeCommand(service.db, start, 'cancel', at)
  await runCommands(service.db, start, stepDeps, { asked: [id], at })
}

const depositOf = async (bookingId: string) =>
  (await service.db.query('select * from deposit where booking_id = $1', [bookingId])).rows[0]

test('a caller without a key is asked for fee and deposit, and told which is which', async () => {
  const { request } = await slotWithDeposit(service.db, rule)
  const response = await fetch(bookings(), posting(request))
  expect(response.status).toBe(402)
  const { accepts, resource } = decoded(response.headers.get('payment-required'))
  const { fee, deposit } = accepts[0].extra
  expect(BigInt(fee) + BigInt(deposit)).toBe(BigInt(accepts[0].amount))
  expect(resource.description).toMatch(
    /^The fee .* \(IDR 12,500\) and its deposit \(IDR 100,000\)$/,
  )
  const { detail } = (await response.json()) as any
  expect(detail).toContain('Kept for the venue if the guest does not come')
})

test('a booking without a deposit is quoted as before', async () => {
  const { request } = await slotWithDeposit(service.db, rule)
  const response = await fetch(bookings(), posting({ ...request, party_size: 1 }))
  const { accepts, resource } = decoded(response.headers.get('payment-required'))
  expect(Object.keys(accepts[0].extra)).toEqual(['name', 'version', 'quote'])
  expect(resource.description).toBe('The fee of this booking')
})

test('cancelled in time by its guest, both go back to the wallet, with proof', async () => {
  const { booking, payment, wallet } = await pay()
  expect(booking.deposit).toMatchObject({ status: 'taken', amount_minor: 2 * DEPOSIT })
  const paid = Number(payment.amount)
  const { currency } = booking.fee
  const fee = booking.fee.amount_minor
  expect(await balancesOf(booking.id)).toEqual({
    ...{ 'XUC cash': paid, 'XUC exchange': -paid },
    ...{ [`${currency} exchange`]: fee + 2 * DEPOSIT, [`${currency} credit`]: -fee },
    ...{ [`${currency} deposits`]: -2 * DEPOSIT },
    ...{ [`${currency} unbilled`]: fee, [`${currency} revenue`]: -fee },
  })
  const cancelled = await fetch(`${service.url}${new URL(booking.guest_url).pathname}/cancel`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(booking.guest_url).origin },
    body: new URLSearchParams({ fee: 'reversed' }),
  })
  expect(cancelled.status).toBe(303)
  await eventually('the refund', async () => (await wallet.balance()) === 50_000_000n)
  await eventually('its proof', async () => (await paymentOf(booking.id)).state === 'refunded')
  expect(await paymentOf(booking.id)).toMatchObject({
    refund_transaction: expect.stringMatching(/^0x/),
    deposit_refund: 'none',
  })
  expect(await balancesOf(booking.id)).toEqual({})
})

test('to the minute: in time it goes back, a minute later it is kept for the venue', async () => {
  const free = await openAgent(service.db, service.url, 'free')
  const inTime = await pay(free)
  await cancelAt(inTime.booking.id, new Date(inTime.booking.cancel_until))
  expect((await depositOf(inTime.booking.id)).status).toBe('returned')
  await eventually('the refund', async () => (await inTime.wallet.balance()) === 50_000_000n)
  const proof = async () => (await paymentOf(inTime.booking.id)).state === 'refunded'
  await eventually('its proof', proof)
  expect(await balancesOf(inTime.booking.id)).toEqual({})
  const late = await pay(free)
  const left = await late.wallet.balance()
  await cancelAt(late.booking.id, new Date(new Date(late.booking.cancel_until).getTime() + 60_000))
  expect(await depositOf(late.booking.id)).toMatchObject({ status: 'kept' })
  expect(await paymentOf(late.booking.id)).toMatchObject({
    ...{ state: 'settled', deposit_refund: 'none' },
  })
  expect(await late.wallet.balance()).toBe(left)
  expect(await balancesOf(late.booking.id)).toMatchObject({
    [`${late.booking.fee.currency} venue_payable`]: -2 * DEPOSIT,
  })
})

test('of a guest who came the deposit goes back alone, once; the fee stays', async () => {
  const { booking, wallet, startsAt } = await pay()
  const { db } = service
  const start = await selectBookingStart(db, booking.id)
  await actWhenDue(db, start, stepDeps, hours(startsAt, 6))
  const later = hours(startsAt, 80)
  await Promise.all([1, 2].map(() => returnDeposits({ db, steps: stepDeps }, later)))
  const { amount, deposit_amount: part } = await paymentOf(booking.id)
  const left = 50_000_000n - BigInt(amount) + BigInt(part)
  await eventually('the refund', async () => (await wallet.balance()) === left)
  await eventually('its proof', async () => (await paymentOf(booking.id)).deposit_refund === 'sent')
  expect(await paymentOf(booking.id)).toMatchObject({
    ...{ state: 'settled', refund_reason: 'deposit_returned' },
    refund_transaction: expect.stringMatching(/^0x/),
  })
  const { currency, amount_minor: fee } = booking.fee
  const kept = Number(amount) - Number(part)
  expect(await balancesOf(booking.id)).toEqual({
    ...{ 'XUC cash': kept, 'XUC exchange': -kept },
    ...{ [`${currency} exchange`]: fee, [`${currency} credit`]: -fee },
    ...{ [`${currency} unbilled`]: fee, [`${currency} revenue`]: -fee },
  })
})

test('a deposit that was kept goes back to the wallet if a dispute is decided for it', async () => {
  const free = await openAgent(service.db, service.url, 'free')
  const { booking, wallet } = await pay(free)
  const late = new Date(new Date(booking.cancel_until).getTime() + 60_000)
  await cancelAt(booking.id, late)
  const { db } = service
  await db.query('update deposit set settled_at = now() where booking_id = $1', [booking.id])
  const path = `/api/bookings/${booking.id}/dispute`
  const { body } = await free.post(path, { reason: 'The guest called the day before.' })
  const evidence = await db.query('select evidence from deposit_dispute where id = $1', [
    body.dispute.id,
  ])
  expect(evidence.rows[0].evidence).toMatchObject({ signature: { alg: 'Ed25519' } })
  const left = await wallet.balance()
  const act = { by: byCommand(free.accountId, new Date()), reason: 'The venue agrees.' }
  await decideDispute({ db, dryRunDeps: stepDeps }, act, {
    ...{ id: body.dispute.id, decision: 'returned' },
  })
  const part = BigInt((await paymentOf(booking.id)).deposit_amount)
  await eventually('the refund', async () => (await wallet.balance()) === left + part)
})

test('a deposit that the venue raised since the quote is asked for again, not taken', async () => {
  const { request, slug } = await slotWithDeposit(service.db, rule)
  const wallet = await openWallet(service.db, 50)
  const quoted = await fetch(bookings(), posting(request))
  const payment = await wallet.client.createPaymentPayload(
    decoded(quoted.headers.get('payment-required')),
  )
  await setDeposit(service.db, slug, { ...rule, amount_minor: 2 * DEPOSIT }, new Date())
  const header = Buffer.from(JSON.stringify(payment)).toString('base64')
  const answer = await fetch(bookings(), posting(request, { 'payment-signature': header }))
  expect(await answer.json()).toMatchObject({ code: 'payment_rejected', reason: 'quote_outdated' })
  expect(await wallet.balance()).toBe(50_000_000n)
})

test('the store takes no deposit above its payment, and sends one back once', async () => {
  const { booking } = await pay()
  /** Makes these changes in a transaction that is rolled back. */
  const set = async (...assignments: string[]) => {
    const client = await service.db.connect()
    try {
      await client.query('begin')
      for (const one of assignments) {
        await client.query(`update x402_payment set ${one} where booking_id = $1`, [booking.id])
      }
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  const due = `deposit_refund = 'due'`
  await set(due)
  await expect(set('deposit_minor = price_minor + 1')).rejects.toThrow('x402_payment_deposit')
  await expect(set('deposit_amount = amount')).rejects.toThrow('x402_payment_deposit')
  await expect(set(`deposit_refund = 'sent'`)).rejects.toThrow('cannot move from none to sent')
  await expect(set(due, `deposit_refund = 'none'`)).rejects.toThrow('cannot move from due to none')
  await expect(set(due, `state = 'refund_due'`)).rejects.toThrow('x402_payment_deposit_refund')
})

test('a month that is closed invoices no deposit that was paid in advance', async () => {
  const { booking } = await pay()
  const at = new Date(Date.now() + 40 * DAY_MS)
  for (let more = true; more; ) more = (await closeMonths(service.db, { at })).hasMore
  const { currency, amount_minor: fee } = booking.fee
  const { rows } = await service.db.query(
    `select i.currency, i.total_minor::int as total, i.credit_minor::int as credit
     from monthly_invoice i join request r on r.account_id = i.account_id where r.booking_id = $1`,
    [booking.id],
  )
  expect(rows).toEqual([{ currency, total: fee, credit: fee }])
  const violations = await findViolations(service.db)
  expect(violations.filter(({ name }) => /ledger|deposit|credit|unbilled/.test(name))).toEqual([])
})
