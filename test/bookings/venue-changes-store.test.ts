import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { giveUpWithdrawals } from '../../src/confirmation/store/connectors.ts'
import { markChangeSent } from '../../src/confirmation/store/open-changes.ts'
import { type Arena, type ArenaKind, addArena } from '../../tools/proof/arena.ts'
import { command } from '../../tools/proof/commands.ts'
import { findViolations } from '../../tools/proof/invariants.ts'
import { afterEnd, venueResponds, venueTimesOut } from '../../tools/proof/venue-responses.ts'
import { openAccount, openWorld, outcomeOf, request, type World } from '../../tools/proof/world.ts'
import { createDatabase, openTestPool, type TestDatabase } from '../support/database.ts'
import { stepDeps } from '../support/terms.ts'
import { traces } from '../support/traces.ts'

let database: TestDatabase
let world: World
let accountId: string

beforeAll(async () => {
  database = await createDatabase()
  world = await openWorld(openTestPool(database.url, 10))
  accountId = await openAccount(world.db)
})

afterAll(async () => {
  await world?.db.end()
  await database?.drop()
})

const asked = (kind: Partial<ArenaKind>) =>
  addArena(world.db, {
    name: 'venue with a connector',
    confirmMode: 'http',
    stock: {},
    requires: [],
    places: 0,
    ...kind,
  })
const oneTable = () => asked({ stock: { table: 1 }, requires: [{ kind: 'table', per: 'party' }] })

/** Requests one of the arena's times, half an hour apart. */
async function ask(arena: Arena, slot: number, partySize: number) {
  const slotTime = arena.slotTimes[slot] ?? ''
  const start = await request(world.db, arena, { slotTime, partySize, accountId })
  const outcome = outcomeOf(
    world,
    start,
    await decideBooking(world.db, start, stepDeps, new Date()),
  )
  return { start, outcome }
}

async function book(arena: Arena, slot: number, partySize: number): Promise<BookingStart> {
  const { start } = await ask(arena, slot, partySize)
  expect(await venueResponds(world, start, 'confirmed')).toBe('confirmed')
  return start
}

const amend = (start: BookingStart, arena: Arena, slot: number, partySize: number) =>
  command(world, start, 'amend', {
    input: { slot_time: arena.slotTimes[slot], party_size: partySize },
  })

const rowOf = async ({ bookingId }: BookingStart) =>
  (await world.db.query('select * from booking where id = $1', [bookingId])).rows[0]

/** The allocations at the venue, by start time. */
async function takenAt(arena: Arena) {
  const { rows } = await world.db.query(
    `select to_char(lower(a.during) at time zone $2, 'HH24:MI') || '-' ||
       to_char(upper(a.during) at time zone $2, 'HH24:MI') as span
     from allocation a join booking b on b.id = a.booking_id
     where b.venue_id = $1 and a.active order by 1`,
    [arena.id, arena.timezone],
  )
  return rows.map(({ span }) => span as string)
}

async function usedAt(arena: Arena) {
  const { rows } = await world.db.query(
    `select c.used from slot_counter c join service o on o.id = c.service_id
     where o.venue_id = $1 order by c.starts_at`,
    [arena.id],
  )
  return rows.map(({ used }) => used as number)
}

/** Ignores commands and requests that wait for their venue. */
const noViolations = async () => {
  const found = await findViolations(world.db)
  expect(found.filter(({ name }) => !name.endsWith('has an answer'))).toEqual([])
}

test('a booking can move to an overlapping time: its table is kept for both', async () => {
  const arena = await oneTable()
  const start = await book(arena, 0, 2)
  const before = await takenAt(arena)
  expect(await amend(start, arena, 1, 2)).toBe('confirmed')
  const kept = await takenAt(arena)
  expect(kept).toHaveLength(2)
  expect(kept[0]).toBe(before[0])
  expect((await ask(arena, 2, 2)).outcome).toBe('refused: slot_unavailable')
  await noViolations()
  expect(await venueResponds(world, start, 'declined')).toBe('confirmed')
  expect(await takenAt(arena)).toEqual(before)
  expect(await amend(start, arena, 1, 3)).toBe('confirmed')
  expect(await venueResponds(world, start, 'confirmed')).toBe('confirmed')
  expect(await rowOf(start)).toMatchObject({ slot_time: arena.slotTimes[1], party_size: 3 })
  expect(await takenAt(arena)).toHaveLength(1)
  expect((await ask(arena, 2, 2)).outcome).toBe('refused: slot_unavailable')
  await noViolations()
})

test('a change to the party size alone takes nothing beyond its table', async () => {
  const arena = await oneTable()
  const start = await book(arena, 0, 2)
  const before = await takenAt(arena)
  expect(await amend(start, arena, 0, 3)).toBe('confirmed')
  expect(await takenAt(arena)).toEqual(before)
  expect(await venueResponds(world, start, 'confirmed')).toBe('confirmed')
  expect(await takenAt(arena)).toEqual(before)
  expect(await rowOf(start)).toMatchObject({ party_size: 3, changes: 1 })
  await noViolations()
})

test('a change requested too late does not lower the fee, whenever its venue agrees', async () => {
  const feeOf = async ({ bookingId }: BookingStart) => (await traces(world.db, bookingId)).fees
  const late = await book(await oneTable(), 0, 3)
  const early = await book(await oneTable(), 0, 3)
  const passCutOff = ({ bookingId }: BookingStart) =>
    world.db.query(`update booking set cancel_until = now() - interval '1 hour' where id = $1`, [
      bookingId,
    ])
  const shrink = (start: BookingStart) =>
    command(world, start, 'amend', { input: { party_size: 1 } })
  const before = await feeOf(late)
  await passCutOff(late)
  await shrink(late)
  await shrink(early)
  await passCutOff(early)
  for (const start of [late, early]) {
    expect(await venueResponds(world, start, 'confirmed')).toBe('confirmed')
    expect(await rowOf(start)).toMatchObject({ party_size: 1 })
  }
  expect(await feeOf(late)).toEqual(before)
  expect(await feeOf(early)).toHaveLength(3)
})

test('a class takes only extra places, and keeps released ones until the yes', async () => {
  const arena = await asked({ places: 5 })
  const start = await book(arena, 0, 1)
  expect(await amend(start, arena, 0, 3)).toBe('confirmed')
  expect(await usedAt(arena)).toEqual([3])
  expect((await ask(arena, 0, 3)).outcome).toBe('refused: slot_unavailable')
  expect(await venueResponds(world, start, 'confirmed')).toBe('confirmed')
  expect(await usedAt(arena)).toEqual([3])
  expect(await amend(start, arena, 0, 1)).toBe('confirmed')
  expect(await usedAt(arena)).toEqual([3])
  expect(await venueResponds(world, start, 'confirmed')).toBe('confirmed')
  expect(await usedAt(arena)).toEqual([1])
  expect(await amend(start, arena, 1, 2)).toBe('confirmed')
  expect(await usedAt(arena)).toEqual([1, 2])
  await noViolations()
  expect(await venueResponds(world, start, 'declined')).toBe('confirmed')
  expect(await usedAt(arena)).toEqual([1, 0])
  expect(await amend(start, arena, 0, 2)).toBe('confirmed')
  expect(await command(world, start, 'cancel')).toBe('cancelled')
  expect(await usedAt(arena)).toEqual([0, 0])
  await noViolations()
})

test('a booking gets what its venue agreed to, even if the table was retired', async () => {
  const arena = await oneTable()
  const start = await book(arena, 0, 2)
  expect(await amend(start, arena, 2, 2)).toBe('confirmed')
  await world.db.query(
    `update resource set retired_at = now()
     where venue_id = (select venue_id from booking where id = $1)`,
    [start.bookingId],
  )
  expect(await venueResponds(world, start, 'confirmed')).toBe('confirmed')
  expect(await rowOf(start)).toMatchObject({ slot_time: arena.slotTimes[2] })
  expect(await takenAt(arena)).toHaveLength(1)
})

test('a venue that was never asked for a change is not told that it is off', async () => {
  const arena = await oneTable()
  const start = await book(arena, 0, 2)
  await amend(start, arena, 1, 2)
  const { next_action_at } = await rowOf(start)
  const state = await actWhenDue(world.db, start, stepDeps, new Date(Date.now() + 3_600_000))
  expect(state).toMatchObject({ status: 'confirmed', nextActionAt: next_action_at.toISOString() })
  expect(await rowOf(start)).toMatchObject({ change_phase: null, asked_revision: 2 })
  await noViolations()
})

test('a disconnected venue is no longer notified of changes; bookings are unchanged', async () => {
  const arena = await asked({ stock: { table: 2 }, requires: [{ kind: 'table', per: 'party' }] })
  const [told, waiting] = [await book(arena, 0, 2), await book(arena, 0, 2)]
  await amend(told, arena, 0, 3)
  await venueTimesOut(world, told)
  await amend(waiting, arena, 0, 3)
  await markChangeSent(world.db, waiting.bookingId)
  await giveUpWithdrawals(world.db, arena.id, new Date())
  const anHourLater = new Date(Date.now() + 3_600_000)
  for (const start of [told, waiting]) {
    const state = await actWhenDue(world.db, start, stepDeps, anHourLater)
    expect(state).toMatchObject({ status: 'confirmed' })
    expect(await rowOf(start)).toMatchObject({ change_phase: null, party_size: 2 })
  }
  await noViolations()
})

test('a booking that its venue did not restore completes, and is then withdrawn', async () => {
  const arena = await oneTable()
  const start = await book(arena, 0, 2)
  await amend(start, arena, 1, 2)
  expect(await venueTimesOut(world, start)).toBe('confirmed')
  expect(await rowOf(start)).toMatchObject({ change_phase: 'restoring' })
  const state = await actWhenDue(world.db, start, stepDeps, afterEnd(start))
  expect(state).toMatchObject({ status: 'completed', withdrawDue: true })
  expect(await rowOf(start)).toMatchObject({ change_phase: null, fee_status: 'accrued' })
})
