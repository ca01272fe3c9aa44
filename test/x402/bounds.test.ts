import { afterAll, beforeAll, expect, test } from 'vitest'
import { lifeFault } from '../../src/x402/rules/terms.ts'
import { type AskedSlot, findSlots, openAgent } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { decoded, openWallet, posting } from './pay.ts'

let service: Service
let slots: AskedSlot[]
const bookings = () => `${service.url}/api/bookings`
const next = () => slots.shift() as AskedSlot

beforeAll(async () => {
  service = await openService({ X402_FACILITATOR: 'local' })
  slots = await findSlots(service.agent, 'dinner for 2', 20)
})
afterAll(() => service.close())

const stored = async (payer: string) =>
  (await service.db.query('select * from x402_payment where payer = $1', [payer])).rows
const accounts = async (address: string) =>
  (await service.db.query('select from x402_payer where address = $1', [address])).rowCount

/** A payment for a slot, signed with `more` in its requirements and then altered by `change`. */
async function signed(slot: AskedSlot, more: object, change: object = {}, usdc = 10) {
  const wallet = await openWallet(service.db, usdc)
  const quoted = await fetch(bookings(), posting(slot))
  const required = decoded(quoted.headers.get('payment-required'))
  const [accepted] = required.accepts
  const asked = { ...required, accepts: [{ ...accepted, ...more }] }
  const payment = { ...(await wallet.client.createPaymentPayload(asked)), accepted }
  Object.assign((payment.payload as any).authorization, change)
  const header = Buffer.from(JSON.stringify(payment)).toString('base64')
  const headers = { 'payment-signature': header }
  return { wallet, send: () => fetch(bookings(), posting(slot, headers)) }
}

test.each([
  ['a year', 31_536_000, 'authorization_too_long'],
  ['four minutes', 240, 'authorization_too_long'],
  ['no time any more', -60, 'authorization_expired'],
])('an authorisation valid for %s is refused', async (_, maxTimeoutSeconds, reason) => {
  const { wallet, send } = await signed(next(), { maxTimeoutSeconds })
  const answer = await send()
  expect([answer.status, ((await answer.json()) as any).reason]).toEqual([402, reason])
  expect([await stored(wallet.address), await accounts(wallet.address)]).toEqual([[], 0])
})

test.each([13, 17, 30, 78])(
  'an end of %d digits is refused, and opens no account',
  async (length) => {
    const [slot] = slots
    for (const field of ['validBefore', 'validAfter']) {
      const change = { [field]: '9'.repeat(length) }
      const { wallet, send } = await signed(slot as AskedSlot, {}, change)
      const answer = await send()
      const { code } = (await answer.json()) as any
      expect([field, answer.status, code]).toEqual([field, 400, 'payment_malformed'])
      expect(await accounts(wallet.address)).toBe(0)
    }
  },
)

test('an authorisation pays within its validity, at most three minutes ahead', () => {
  const at = new Date('2026-12-24T12:00:00Z')
  const now = at.getTime() / 1000
  const fault = (after: number, before: number) =>
    lifeFault({ validAfter: String(now + after), validBefore: String(now + before) }, at)
  expect(fault(0, 1)).toBeUndefined()
  expect(fault(-600, 180)).toBeUndefined()
  expect(fault(1, 120)).toBe('authorization_not_yet_valid')
  expect(fault(-600, 0)).toBe('authorization_expired')
  expect(fault(-600, 181)).toBe('authorization_too_long')
})

test('the table accepts no payment that is valid for longer', async () => {
  const wallet = await openWallet(service.db)
  await wallet.fetch(bookings(), posting(next()))
  const longer = `update x402_payment set valid_before = created_at + interval '16 minutes'
    where payer = $1`
  await expect(service.db.query(longer, [wallet.address])).rejects.toThrow('x402_payment_bounded')
})

test.each([
  ['suspended', `suspended_at = now(), suspended_reason = 'No-shows'`, 'No-shows'],
  ['deleted', 'deleted_at = now()', 'The account was deleted.'],
])('a wallet whose account was %s books nothing more', async (_, change, reason) => {
  const { wallet, send } = await signed(next(), {})
  expect((await send()).status).toBe(201)
  await service.db.query(
    `update account set ${change} where id in (
       select account_id from x402_payer where address = $1)`,
    [wallet.address],
  )
  const left = await wallet.balance()
  for (const pay of [() => wallet.fetch(bookings(), posting(next())), send]) {
    const answer = await pay()
    const body = (await answer.json()) as any
    expect([answer.status, body.code, body.reason]).toEqual([403, 'account_suspended', reason])
  }
  expect(await stored(wallet.address)).toHaveLength(1)
  expect(await wallet.balance()).toBe(left)
})

test('a suspended wallet cannot book with another account’s key either', async () => {
  const { wallet, send } = await signed(next(), {})
  expect((await send()).status).toBe(201)
  const free = await openAgent(service.db, service.url, 'free')
  const key = { authorization: `Bearer ${free.key}` }
  const own = next()
  expect((await wallet.fetch(bookings(), posting(own, key))).status).toBe(201)
  await service.db.query(
    `update account set suspended_at = now(), suspended_reason = 'No-shows' where id in (
       select account_id from x402_payer where address = $1)`,
    [wallet.address],
  )
  const left = await wallet.balance()
  const answer = await wallet.fetch(bookings(), posting(next(), key))
  const { code, reason } = (await answer.json()) as any
  expect([answer.status, code, reason]).toEqual([403, 'account_suspended', 'No-shows'])
  expect(await stored(wallet.address)).toHaveLength(2)
  expect(await wallet.balance()).toBe(left)
  const other = await openWallet(service.db)
  expect((await other.fetch(bookings(), posting(next(), key))).status).toBe(201)
})

test('a wallet that is suspended while its payment is stored is refused, uncharged', async () => {
  const { wallet, send } = await signed(next(), {})
  expect((await send()).status).toBe(201)
  const free = await openAgent(service.db, service.url, 'free')
  await service.db.query(`
    create function suspend_payer() returns trigger language plpgsql as $$
    begin
      update account set suspended_at = now(), suspended_reason = 'Now' where id in (
        select account_id from x402_payer where address = '${wallet.address}');
      return new;
    end $$;
    create trigger suspend_payer before insert on request
      for each row execute function suspend_payer()`)
  const key = { authorization: `Bearer ${free.key}` }
  const answer = await wallet.fetch(bookings(), posting(next(), key))
  await service.db.query('drop trigger suspend_payer on request')
  const { code, reason } = (await answer.json()) as any
  expect([answer.status, code, reason]).toEqual([403, 'account_suspended', 'Now'])
  expect(await stored(wallet.address)).toHaveLength(1)
})

test('a booking whose payment nobody can settle ends when its slot begins', async () => {
  await service.db.query(`
    create function begin_soon() returns trigger language plpgsql as $$
    begin new.starts_at := now() + interval '4 seconds'; return new; end $$;
    create trigger begin_soon before insert on booking for each row execute function begin_soon()`)
  const [booking, chain] = [await service.db.connect(), await service.db.connect()]
  const { wallet, send } = await signed(next(), {})
  await booking.query('begin; lock table booking in exclusive mode')
  const sending = send()
  await eventually('the payment', async () => (await stored(wallet.address)).length === 1)
  // From now on, neither facilitator nor chain answers.
  await chain.query('begin; lock table x402_local_transfer in access exclusive mode')
  await booking.query('commit')
  const answer = await sending
  await chain.query('rollback')
  await service.db.query('drop trigger begin_soon on booking')
  for (const client of [booking, chain]) client.release()
  const body = (await answer.json()) as any
  expect([answer.status, body.code]).toEqual([409, 'payment_undecided'])
  const { rows } = await service.db.query(
    `select b.status, b.fee_status, p.state, p.checked_at from booking b
     join x402_payment p on p.booking_id = b.id where p.payer = $1`,
    [wallet.address],
  )
  expect(rows).toEqual([
    { status: 'failed', fee_status: 'none', state: 'failed', checked_at: null },
  ])
}, 60_000)
