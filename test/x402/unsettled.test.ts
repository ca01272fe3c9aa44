import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '../../src/base/errors.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import type { Facilitator } from '../../src/x402/rules/facilitator.ts'
import { checkFailed } from '../../src/x402/steps/send-refunds.ts'
import { settlePayment } from '../../src/x402/steps/settle-payment.ts'
import { type Arena, addArena, roomyKind } from '../../tools/proof/arena.ts'
import { createPayer } from '../../tools/proof/payments/payer.ts'
import { makeKey } from '../support/agent.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { readableLog } from '../support/lines.ts'
import { writeRequest } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'

let database: TestDatabase
let db: Pool
let arena: Arena

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
  arena = await addArena(db, roomyKind)
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

const silent: Facilitator = {
  verify: async () => undefined,
  settle: async () => ({ result: 'none', reason: 'it was not reached' }),
  lookUp: async () => {
    throw new Error('the node did not answer')
  },
}
const transaction = () => `0x${randomUUID()}`
const moved = (hash = transaction()): Facilitator => ({
  ...silent,
  settle: async () => ({ result: 'success', transaction: hash }),
  lookUp: async () => ({ used: true, transaction: hash }),
})

/** A held booking with an unsettled payment. */
async function held() {
  let start: BookingStart | undefined
  const payer = createPayer(db, silent, async (one) => {
    start = one
    await decideBooking(db, one, stepDeps, new Date())
    return 'pending'
  })
  const [slotTime = ''] = arena.slotTimes
  const payment = await payer.payFor(arena, slotTime)
  await payer.send(arena, slotTime, payment)
  if (!start) throw new Error('no booking')
  return start
}

const stateOf = async ({ bookingId }: BookingStart) =>
  (
    await db.query(
      `select b.status, p.state, p.attempts, p.valid_before, p.refund_reason
       from booking b join x402_payment p on p.booking_id = b.id where b.id = $1`,
      [bookingId],
    )
  ).rows[0]
const settle = (start: BookingStart, facilitator: Facilitator, at = new Date()) =>
  settlePayment({ db, facilitator }, start.bookingId, at)
const decide = (start: BookingStart, at = new Date()) => decideBooking(db, start, stepDeps, at)
const minutesAfter = (at: Date, minutes: number) => new Date(at.getTime() + minutes * 60_000)
const refusedAs = (code: string) => ({ answer: { refusal: { code } }, state: { status: 'failed' } })

describe('a payment with an unknown outcome', () => {
  test('frees the slot ten minutes after it lapsed, and is refunded if it was made', async () => {
    const start = await held()
    await expect(settle(start, silent)).rejects.toThrow('did not answer')
    const { valid_before } = await stateOf(start)
    const end = minutesAfter(valid_before, 10)
    const early = await decide(start, minutesAfter(end, -1))
    expect(early).toMatchObject({ answer: null, state: { payBy: end.toISOString() } })
    expect(await decide(start, end)).toMatchObject(refusedAs('payment_undecided'))
    expect(await stateOf(start)).toMatchObject({ status: 'failed', state: 'failed', attempts: 1 })
    const { log } = readableLog()
    await checkFailed({ db, log, facilitator: moved() }, minutesAfter(end, 1))
    expect(await stateOf(start)).toMatchObject({ state: 'refund_due' })
  })

  test('is waited for until the slot begins, and not sent after that', async () => {
    const start = await held()
    const begins = minutesAfter(new Date(), 1)
    await db.query('update booking set starts_at = $2 where id = $1', [start.bookingId, begins])
    expect(await decide(start)).toMatchObject({ state: { payBy: begins.toISOString() } })
    await settle(start, moved(), begins)
    expect(await stateOf(start)).toMatchObject({ state: 'verified', attempts: 0 })
    expect(await decide(start, begins)).toMatchObject(refusedAs('payment_undecided'))
    expect(await stateOf(start)).toMatchObject({ status: 'failed', state: 'failed' })
  })

  test('must be refunded if its booking ends while it is being settled', async () => {
    const start = await held()
    const late = { ...moved() }
    late.settle = async (payment) => {
      await decide(start, minutesAfter(new Date(), 60))
      return moved().settle(payment)
    }
    await settle(start, late)
    expect(await stateOf(start)).toMatchObject({ status: 'failed', state: 'failed', attempts: 1 })
  })
})

describe('money that is being refunded', () => {
  test.each(['refund_due', 'refunded'])('pays for nothing: %s', async (state) => {
    const start = await held()
    const set = (to: string, more: string) =>
      db.query(
        `update x402_payment set state = $2, updated_at = now() ${more} where booking_id = $1`,
        [start.bookingId, to],
      )
    await set('settling', ', attempts = 1')
    await set('failed', `, error = 'none'`)
    await set('refund_due', `, transaction = gen_random_uuid()`)
    if (state === 'refunded') await set('refunded', `, refund_transaction = 'back'`)
    const confirm = `update booking set status = 'confirmed' where id = $1`
    await expect(db.query(confirm, [start.bookingId])).rejects.toThrow('is not settled')
    expect(await decide(start)).toMatchObject(refusedAs('payment_undecided'))
    expect(await stateOf(start)).toMatchObject({ status: 'failed', state })
  })
})

describe('a request of a free account', () => {
  /** A stored request by an account on this tier, without a payment. */
  async function request(tier: 'free' | 'pro', more: Partial<BookingStart> = {}) {
    const { accountId } = await makeKey(db, tier)
    const { id: venueId, slug: venueSlug, name: venueName, timezone } = arena
    const [slotTime = ''] = arena.slotTimes
    const startsAt = new Date(`${slotTime}+08:00`).toISOString()
    const at = { venueId, venueSlug, venueName, timezone, slotTime, startsAt, partySize: 1 }
    const start: BookingStart = { bookingId: randomUUID(), accountId, ...at, ...more }
    await writeRequest(db, start, new Date())
    return start
  }
  const paidBy = async ({ bookingId }: BookingStart) =>
    (await db.query('select paid_by from request where booking_id = $1', [bookingId])).rows[0]
  const move = (start: BookingStart, tier: string) =>
    db.query('update account set tier = $2 where id = $1', [start.accountId, tier])

  test.each(['confirm', 'hold'])('without a payment holds nothing: %s', async (operation) => {
    const start = await request('free', operation === 'hold' ? { purpose: 'hold' } : {})
    await move(start, 'pro')
    expect(await paidBy(start)).toEqual({ paid_by: 'x402' })
    expect(await decide(start)).toMatchObject({
      ...{ answer: { refusal: { code: 'plan_required' } }, state: null },
    })
  })

  test('is not confirmed by any statement, whatever its tier by then', async () => {
    const start = await held()
    await move(start, 'pro')
    for (const status of ['pending', 'confirmed']) {
      const moving = db.query(
        `update booking set status = $2, answer_by = now() + interval '1 hour',
           asked_revision = 2 where id = $1`,
        [start.bookingId, status],
      )
      await expect(moving).rejects.toThrow('is not settled')
    }
  })

  test('that was stored while on pro is confirmed after pro has ended', async () => {
    const start = await request('pro')
    await move(start, 'free')
    expect(await paidBy(start)).toEqual({ paid_by: 'pro' })
    expect(await decide(start)).toMatchObject({ state: { status: 'confirmed' } })
  })

  test('is not stored again if the one that it repeats ends in the meantime', async () => {
    const { accountId } = await makeKey(db, 'free')
    const account = { id: accountId, name: 'free', tier: 'free', mode: 'live' } as const
    let ends = false
    const ending = new Proxy(db, {
      get: (pool, key) =>
        key !== 'query'
          ? Reflect.get(pool, key, pool)
          : async (...statement: [{ text: string }]) => {
              const found = await pool.query(...statement)
              if (ends && statement[0].text.includes('from idempotency_key u left join request')) {
                await pool.query('update request set natural_key = null where account_id = $1', [
                  accountId,
                ])
              }
              return found
            },
    })
    const answer = async () => 'pending' as const
    const [slotTime = ''] = arena.slotTimes
    const payer = createPayer(ending, silent, answer, account)
    await payer.send(arena, slotTime, await payer.payFor(arena, slotTime))
    ends = true
    expect(await payer.send(arena, slotTime, undefined)).toMatchObject({ joined: true })
    ends = false
    const again = payer.send(arena, slotTime, undefined)
    await expect(again).rejects.toSatisfy(
      (error) => error instanceof Refusal && error.data.code === 'payment_required',
    )
    const { rowCount } = await db.query('select from request where account_id = $1', [accountId])
    expect(rowCount).toBe(1)
  })
})

test('a suspended account takes no slot, whoever requests it', async () => {
  const start = await held()
  const { accountId } = start
  await db.query(
    `update account set suspended_at = now(), suspended_reason = 'No-shows'
    where id = $1`,
    [accountId],
  )
  const other = { ...start, bookingId: randomUUID() }
  await writeRequest(db, other, new Date())
  expect(await decide({ ...other, purpose: 'hold' })).toMatchObject({
    answer: { refusal: { code: 'account_suspended', facts: { reason: 'No-shows' } } },
  })
})
