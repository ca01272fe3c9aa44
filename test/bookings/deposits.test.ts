import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DepositRule } from '../../src/availability/rules/deposit.ts'
import { selectNextSlots } from '../../src/availability/store/next-slots.ts'
import { DAY_MS, HOUR_MS } from '../../src/base/durations.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectBooking } from '../../src/bookings/store/booking-view.ts'
import { setDeposit } from '../../src/commands/venue-deposits.ts'
import { balancesOf } from '../../src/ledger/store/balances.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { makeKey } from '../support/agent.ts'
import { storeCommand } from '../support/commands.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { writeRequest } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { addVenue } from '../support/test-venues.ts'

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

const words = { kept_when: 'You do not come.', how_to_pay: 'By card at the bar, a day before.' }
const rule: DepositRule = { kind: 'deposit', amount_minor: 10_000_000, per: 'guest', ...words }

/** A request for two at a new venue, four days ahead. */
async function request(deposits: DepositRule[], more: Partial<BookingStart> = {}) {
  const at = new Date()
  const price = { amount_minor: 5_000_000, per: 'guest', taxes: 'excluded' } as const
  const venue = await addVenue(db, [{ rules: { cancel_cutoff_minutes: 120, deposits, price } }])
  await db.query('update venue set is_demo = false where id = $1', [venue.id])
  const from = new Date(at.getTime() + 4 * DAY_MS)
  const question = { at, from, partySize: 2, count: 1, feePct: 2.5 }
  const slot = (await selectNextSlots(db, [venue], question)).get(venue.id)?.slots[0]
  if (!slot) throw new Error('no slot')
  const { accountId } = await makeKey(db, 'pro')
  const start: BookingStart = {
    ...{ bookingId: randomUUID(), accountId, venueId: venue.id, venueSlug: venue.slug },
    ...{ venueName: venue.name, slotTime: slot.slot_time, timezone: venue.timezone },
    ...{ startsAt: slot.starts_at, partySize: 2, ...more },
  }
  await writeRequest(db, start, at)
  return { start, at, slot }
}

const command = async (start: BookingStart, kind: 'amend' | 'cancel', at: Date, input = {}) => {
  const id = await storeCommand(db, start, kind, at, input)
  const { answers } = await runCommands(db, start, stepDeps, { commandIds: [id], at })
  return answers[id]
}

const depositOf = async ({ bookingId }: BookingStart) =>
  (await selectBooking(db, bookingId)).deposit

describe('a deposit that a venue asks for', () => {
  test('is shown with the slot, the hold and the booking, in the words of the venue', async () => {
    const { start, at, slot } = await request([rule], { purpose: 'hold' })
    expect(slot.deposits).toEqual([
      {
        ...{ kind: 'deposit', amount_minor: 10_000_000, per: 'guest', currency: 'IDR' },
        ...{ party_min: 1, text: 'Deposit of IDR 100,000 per guest', ...words },
      },
    ])
    await decideBooking(db, start, stepDeps, at)
    const forTwo = { ...slot.deposits?.[0], amount_minor: 20_000_000, text: 'IDR 200,000' }
    const { party_min: _min, per: _per, ...stated } = { party_min: 1, per: 1, ...forTwo }
    expect(await depositOf(start)).toEqual(stated)
    const booked = await request([rule])
    await decideBooking(db, booked.start, stepDeps, booked.at)
    expect(await depositOf(booked.start)).toEqual(stated)
    const { service } = await selectBooking(db, booked.start.bookingId)
    expect(service?.price).toMatchObject({
      text: 'IDR 50,000++ per guest',
      total: 'IDR 50,000 per guest, IDR 100,000 for 2 guests, plus tax and service (++)',
    })
  })

  test('costs the account nothing, whenever the booking is cancelled', async () => {
    const { start, at } = await request([rule])
    await decideBooking(db, start, stepDeps, at)
    const late = new Date(Date.parse(start.startsAt) - HOUR_MS)
    expect(await command(start, 'cancel', late)).toMatchObject({
      cancellation: {
        deposit:
          'The network took none of the deposit of IDR 200,000. The venue keeps what its guest ' +
          'has paid when: You do not come.',
      },
    })
    const { status, fee } = await selectBooking(db, start.bookingId)
    expect([status, fee.status]).toEqual(['cancelled', 'accrued'])
    const unbilled = { account: 'unbilled', balance_minor: fee.amount_minor }
    const revenue = { account: 'revenue', balance_minor: -fee.amount_minor }
    const balances = await balancesOf(db, start.accountId)
    expect(balances).toHaveLength(2)
    expect(balances).toEqual(
      expect.arrayContaining([unbilled, revenue].map((one) => expect.objectContaining(one))),
    )
  })

  test('stays as booked when the rules change, and follows the party size', async () => {
    const { start, at } = await request([rule])
    await decideBooking(db, start, stepDeps, at)
    await setDeposit(db, start.venueSlug, null, at)
    expect(await depositOf(start)).toMatchObject({ amount_minor: 20_000_000 })
    const other = await request([{ ...rule, kind: 'guarantee', party_min: 3 }])
    await decideBooking(db, other.start, stepDeps, other.at)
    expect(await depositOf(other.start)).toBeNull()
    const more = await command(other.start, 'amend', other.at, { party_size: 3 })
    expect(more).toMatchObject({ amended: { from: { deposit: null } } })
    expect(await depositOf(other.start)).toMatchObject({
      ...{ kind: 'guarantee', amount_minor: 30_000_000, text: 'IDR 300,000' },
    })
    const fewer = await command(other.start, 'amend', other.at, { party_size: 2 })
    expect(fewer).toMatchObject({ amended: { from: { deposit: 'IDR 300,000' } } })
  })
})
