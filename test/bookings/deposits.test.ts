import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DepositRule } from '../../src/availability/rules/deposit.ts'
import { selectNextSlots } from '../../src/availability/store/next-slots.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { depositMoves, depositStatuses } from '../../src/bookings/rules/deposits.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { returnDeposits } from '../../src/bookings/steps/deposits.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectBooking } from '../../src/bookings/store/booking-view.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import { insertDecision } from '../../src/confirmation/store/venue-responses.ts'
import { DAY_MS, HOUR_MS } from '../../src/contract/rules/durations.ts'
import { closeMonths } from '../../src/ledger/steps/close-months.ts'
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

const PER_GUEST = 100_000
const rule: DepositRule = { kind: 'deposit', amount_minor: PER_GUEST, per: 'guest', party_min: 2 }

/** A request for two at a venue of its own, four days ahead. */
async function request(deposits: DepositRule[] | undefined, more: Partial<BookingStart> = {}) {
  const at = new Date()
  const rules = { cancel_cutoff_minutes: 120, ...(deposits && { deposits }) }
  const venue = await addVenue(db, [{ rules }])
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

const hours = (from: string | Date, count: number) =>
  new Date(new Date(from).getTime() + count * HOUR_MS)

const command = async (start: BookingStart, kind: 'cancel', at: Date, input = {}) => {
  const id = await storeCommand(db, start, kind, at, input)
  await runCommands(db, start, stepDeps, { asked: [id], at })
}

const venueSays = async (start: BookingStart, status: 'no_show' | 'attended', at: Date) => {
  const said = { bookingId: start.bookingId, id: randomUUID(), revision: 2, status }
  await insertDecision(db, { ...said, answeredAt: at, receivedAt: at })
  await applyVenueResponses(db, start, stepDeps, at)
}

const giveBack = (at: Date) => returnDeposits({ db, steps: stepDeps }, at)

/** The deposit of a booking and the money of its account, apart from fees. */
async function leftOf({ bookingId, accountId }: BookingStart) {
  const { deposit } = await selectBooking(db, bookingId)
  const balances = await balancesOf(db, accountId)
  const of = (name: string) => balances.find(({ account }) => account === name)?.balance_minor ?? 0
  const { rows } = await db.query(
    `select type from event where booking_id = $1 and type like 'deposit.%' order by number`,
    [bookingId],
  )
  return {
    status: deposit?.status,
    held: 0 - of('deposits'),
    venue: 0 - of('venue_payable'),
    events: rows.map(({ type }) => type.slice('deposit.'.length)),
  }
}

const TWO = 2 * PER_GUEST
const taken = { status: 'taken', held: TWO, venue: 0, events: ['taken'] }
const returned = { status: 'returned', held: 0, venue: 0, events: ['taken', 'returned'] }
const kept = { status: 'kept', held: 0, venue: TWO, events: ['taken', 'kept'] }

describe('a deposit', () => {
  test('is shown with the slot and the booking, and taken with the confirmation', async () => {
    const { start, at, slot } = await request([rule])
    expect(slot.deposits).toMatchObject([
      { amount_minor: PER_GUEST, per: 'guest', text: expect.stringContaining('for 2 guests') },
    ])
    await decideBooking(db, start, stepDeps, at)
    expect(await leftOf(start)).toEqual(taken)
    const { deposit, cancel_until } = await selectBooking(db, start.bookingId)
    expect(deposit).toMatchObject({ amount_minor: TWO, returned_until: cancel_until })
    const { rows } = await db.query(
      `select what from timeline_entry where booking_id = $1 and status = 'confirmed'`,
      [start.bookingId],
    )
    expect(rows[0].what).toContain('Its deposit was taken.')
  })

  test('is a line of the month’s invoice that names its booking', async () => {
    const { start, at } = await request([rule])
    const { bookingId, accountId, venueName } = start
    await decideBooking(db, start, stepDeps, at)
    await closeMonths(db, { accountId, at: hours(at, 40 * 24) })
    const { rows } = await db.query(
      `select l.kind, l.description, l.booking_id, l.party_size, l.amount_minor
       from invoice_line l join monthly_invoice i on i.id = l.invoice_id
       where i.account_id = $1 and l.kind = 'adjustment'`,
      [accountId],
    )
    const description = `Deposit for a booking: ${venueName}`
    const line = { kind: 'adjustment', description, booking_id: bookingId, party_size: 2 }
    expect(rows).toEqual([{ ...line, amount_minor: TWO }])
  })

  test('is due while the slot is held, and void if nobody confirms', async () => {
    const { start, at } = await request([rule], { purpose: 'hold' })
    await decideBooking(db, start, stepDeps, at)
    expect(await leftOf(start)).toMatchObject({ status: 'due', held: 0, events: [] })
    await actWhenDue(db, start, stepDeps, hours(at, 1))
    expect(await leftOf(start)).toMatchObject({ status: 'void', held: 0, events: [] })
  })

  test('is not asked of a smaller party, on another day or at another hour', async () => {
    for (const other of [
      { ...rule, party_min: 3 },
      { ...rule, from: '00:00', until: '00:05' },
    ]) {
      const { start, at } = await request([other])
      await decideBooking(db, start, stepDeps, at)
      expect(await leftOf(start)).toEqual({ status: undefined, held: 0, venue: 0, events: [] })
    }
  })

  test('is returned when the agent cancels in time, and kept when it is late', async () => {
    const early = await request([rule])
    await decideBooking(db, early.start, stepDeps, early.at)
    await command(early.start, 'cancel', hours(early.at, 1))
    expect(await leftOf(early.start)).toEqual(returned)
    const late = await request([rule])
    await decideBooking(db, late.start, stepDeps, late.at)
    await command(late.start, 'cancel', hours(late.start.startsAt, -1))
    expect(await leftOf(late.start)).toEqual(kept)
  })

  test('is returned when the network cancels, however late', async () => {
    const { start, at } = await request([rule])
    await decideBooking(db, start, stepDeps, at)
    await command(start, 'cancel', hours(start.startsAt, -1), { by: 'network' })
    expect(await leftOf(start)).toEqual(returned)
  })

  test('is kept for a no-show, and returned if the venue takes that back', async () => {
    const { start, at } = await request([rule])
    await decideBooking(db, start, stepDeps, at)
    await venueSays(start, 'no_show', hours(start.startsAt, 1))
    expect(await leftOf(start)).toEqual(kept)
    await venueSays(start, 'attended', hours(start.startsAt, 2))
    expect(await leftOf(start)).toEqual({ ...returned, events: ['taken', 'kept', 'returned'] })
  })

  test('of a guest who came is returned once a no-show can no longer be reported', async () => {
    const { start, at } = await request([rule])
    await decideBooking(db, start, stepDeps, at)
    await actWhenDue(db, start, stepDeps, hours(start.startsAt, 6))
    await giveBack(hours(start.startsAt, 40))
    expect(await leftOf(start)).toEqual(taken)
    await Promise.all([1, 2, 3].map(() => giveBack(hours(start.startsAt, 60))))
    expect(await leftOf(start)).toEqual(returned)
    await venueSays(start, 'no_show', hours(start.startsAt, 47))
    expect((await leftOf(start)).status).toBe('returned')
  })

  test('of a demo venue is no money, and a guarantee is none until it is kept', async () => {
    const demo = await request([rule])
    await db.query('update venue set is_demo = true where id = $1', [demo.start.venueId])
    await decideBooking(db, demo.start, stepDeps, demo.at)
    expect(await leftOf(demo.start)).toEqual({ ...taken, held: 0 })
    const card = await request([{ ...rule, kind: 'guarantee' }])
    await decideBooking(db, card.start, stepDeps, card.at)
    expect(await leftOf(card.start)).toEqual({ ...taken, held: 0 })
    await venueSays(card.start, 'no_show', hours(card.start.startsAt, 1))
    expect(await leftOf(card.start)).toEqual(kept)
  })
})

test('the database allows the moves of the rules and no other', async () => {
  const { start, at } = await request([rule])
  await decideBooking(db, start, stepDeps, at)
  const all = depositStatuses.flatMap((from) => depositStatuses.map((to) => ({ from, to })))
  for (const { from, to } of all.filter(({ from, to }) => from !== to)) {
    const client = await db.connect()
    try {
      await client.query('begin')
      await client.query('alter table deposit disable trigger deposit_move')
      const set = (status: string) =>
        client.query(
          `update deposit set status = $2::text,
             taken_at = case when $2 not in ('due', 'void') then now() end,
             settled_at = case when $2 in ('kept', 'returned') then now() end,
             reason = case when $2 in ('kept', 'returned') then 'no_show' end
           where booking_id = $1`,
          [start.bookingId, status],
        )
      await set(from)
      await client.query('alter table deposit enable trigger deposit_move')
      const moved = await set(to).then(
        () => true,
        () => false,
      )
      expect({ from, to, moved }).toEqual({ from, to, moved: depositMoves[from].includes(to) })
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
})

test('in whatever order things happen, money is held, kept or returned, never two', async () => {
  const acts = ['cancel early', 'cancel late', 'network', 'no_show', 'attended', 'end', 'return']
  const sequences = fc.array(fc.constantFrom(...acts), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(sequences, fc.constantFrom('deposit', 'guarantee'), async (order, kind) => {
      const { start, at } = await request([{ ...rule, kind: kind as DepositRule['kind'] }])
      await decideBooking(db, start, stepDeps, at)
      const late = hours(start.startsAt, -1)
      const act: Record<string, () => Promise<unknown>> = {
        'cancel early': () => command(start, 'cancel', hours(at, 1)),
        'cancel late': () => command(start, 'cancel', late),
        network: () => command(start, 'cancel', late, { by: 'network' }),
        no_show: () => venueSays(start, 'no_show', hours(start.startsAt, 3)),
        attended: () => venueSays(start, 'attended', hours(start.startsAt, 4)),
        end: () => actWhenDue(db, start, stepDeps, hours(start.startsAt, 6)),
        return: () => giveBack(hours(start.startsAt, 80)),
      }
      for (const name of order) await act[name]?.()
      const { status, held, venue, events } = await leftOf(start)
      const isDeposit = kind === 'deposit'
      expect({ status, held, venue }).toEqual({
        status,
        held: status === 'taken' && isDeposit ? TWO : 0,
        venue: status === 'kept' ? TWO : 0,
      })
      expect(new Set(events).size).toBe(events.length)
      const { status: booking } = await selectBooking(db, start.bookingId)
      // What was given back before the venue reported the no-show stays given back.
      const isLate = order.includes('return') && order.indexOf('return') < order.indexOf('no_show')
      if (booking === 'no_show') expect(isLate ? ['kept', 'returned'] : ['kept']).toContain(status)
      if (booking === 'confirmed') expect(status).toBe('taken')
    }),
    { numRuns: 40 },
  )
})
