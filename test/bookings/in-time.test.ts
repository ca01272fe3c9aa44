import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectBookingForUpdate } from '../../src/bookings/store/bookings.ts'
import { openPool, type Pool, transaction } from '../../src/platform/database/sql.ts'
import { addArena, arenaKinds } from '../../tools/proof/arena.ts'
import { openAccount, openWorld, outcomeOf, request } from '../../tools/proof/world.ts'
import { storeCommand } from '../support/commands.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { traces } from '../support/traces.ts'

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

/** A hold, and a clock in seconds after its end. */
async function heldSlot() {
  const start = await requestDaysAhead(db, { purpose: 'hold' })
  await decideBooking(db, start, stepDeps, new Date())
  const { rows } = await db.query('select hold_until from booking where id = $1', [start.bookingId])
  const end = rows[0].hold_until.getTime()
  return { start, after: (seconds: number) => new Date(end + seconds * 1000) }
}

async function run(start: BookingStart, id: string, at: Date) {
  const { answers, state } = await runCommands(db, start, stepDeps, { commandIds: [id], at })
  return { answer: answers[id], status: state?.status }
}

test('a hold confirmed before its end is booked, however late a worker runs it', async () => {
  const { start, after } = await heldSlot()
  const id = await storeCommand(db, start, 'confirm', after(-20))
  const { answer } = await run(start, id, after(600))
  expect(answer).toMatchObject({ booking: { status: 'confirmed', fee: { status: 'accrued' } } })
  const { allocations, fees } = await traces(db, start.bookingId)
  expect(allocations).toEqual([{ kind: 'table', active: true }])
  expect(fees).toHaveLength(1)
})

test('a hold confirmed after its end expires, even if nothing had ended it', async () => {
  const { start, after } = await heldSlot()
  const id = await storeCommand(db, start, 'confirm', after(1))
  const { answer, status } = await run(start, id, after(2))
  expect(answer).toMatchObject({ refusal: { code: 'hold_expired' } })
  expect(status).toBe('expired')
})

test('a hold is not confirmed once its slot has begun, whenever it was requested', async () => {
  const { start, after } = await heldSlot()
  const id = await storeCommand(db, start, 'confirm', after(-20))
  const { answer } = await run(start, id, new Date(start.startsAt))
  expect(answer).toMatchObject({ refusal: { code: 'hold_expired' } })
})

test('a hold extended before its end is extended, and so can be confirmed later', async () => {
  const { start, after } = await heldSlot()
  const extend = await storeCommand(db, start, 'extend', after(-20))
  const confirm = await storeCommand(db, start, 'confirm', after(200))
  const { answer } = await run(start, extend, after(900))
  expect(answer).toMatchObject({ booking: { hold_until: after(300).toISOString() } })
  expect(await run(start, confirm, after(900))).toMatchObject({ status: 'confirmed' })
})

test('a change requested before the cut-off lowers the fee, however late it runs', async () => {
  const start = await requestDaysAhead(db)
  await decideBooking(db, start, stepDeps, new Date())
  const { rows } = await db.query('select cancel_until from booking where id = $1', [
    start.bookingId,
  ])
  const after = (seconds: number) => new Date(rows[0].cancel_until.getTime() + seconds * 1000)
  const shrink = await storeCommand(db, start, 'amend', after(-20), { party_size: 1 })
  const { answer } = await run(start, shrink, after(60))
  expect(answer).toMatchObject({ booking: { party_size: 1 } })
  const { fees } = await traces(db, start.bookingId)
  expect(fees.map(({ base_minor }: { base_minor: number }) => base_minor)).toEqual([
    expect.any(Number),
    fees[0].base_minor,
    fees[0].base_minor / 2,
  ])
})

test('commands given in time run before a hold is ended', async () => {
  const { start, after } = await heldSlot()
  await storeCommand(db, start, 'confirm', after(-1))
  expect(await actWhenDue(db, start, stepDeps, after(600))).toMatchObject({ status: 'confirmed' })
})

test('a hold is ended a little late, so that commands stored late count', async () => {
  const { start, after } = await heldSlot()
  expect(await actWhenDue(db, start, stepDeps, after(1))).toMatchObject({ status: 'held' })
  await storeCommand(db, start, 'confirm', after(-1))
  expect(await actWhenDue(db, start, stepDeps, after(3))).toMatchObject({ status: 'confirmed' })
})

test('a confirmation stored while the end of its hold waits for the row still counts', async () => {
  const { start, after } = await heldSlot()
  const ending = await transaction(db, async (tx) => {
    await selectBookingForUpdate(tx, start.bookingId)
    const waiting = Promise.allSettled([actWhenDue(db, start, stepDeps, after(600))])
    await untilWaiting(db, 1)
    await storeCommand(db, start, 'confirm', after(-1))
    return { waiting }
  })
  expect(await ending.waiting).toMatchObject([{ status: 'rejected' }])
  // The workflow retries its activity.
  expect(await actWhenDue(db, start, stepDeps, after(601))).toMatchObject({ status: 'confirmed' })
})

test('a hold that nobody confirmed ends, and its slot is free', async () => {
  const { start, after } = await heldSlot()
  expect(await actWhenDue(db, start, stepDeps, after(60))).toMatchObject({ status: 'expired' })
  const { allocations } = await traces(db, start.bookingId)
  expect(allocations).toEqual([{ kind: 'table', active: false }])
})

test('until an expired hold has ended, others are told when its slot becomes free', async () => {
  const world = await openWorld(db)
  const arena = await addArena(db, arenaKinds[0])
  const ask = async (purpose: 'hold' | undefined, at: Date) => {
    const slotTime = arena.slotTimes[0] ?? ''
    const accountId = await openAccount(db)
    const asked = { slotTime, partySize: 2, accountId, ...(purpose && { purpose }) }
    const start = await request(db, arena, asked)
    return { start, decision: await decideBooking(db, start, stepDeps, at) }
  }
  const { start, decision } = await ask('hold', new Date())
  expect(outcomeOf(world, start, decision)).toBe('held')
  const { rows } = await db.query('select hold_until from booking where id = $1', [start.bookingId])
  const at = new Date(rows[0].hold_until.getTime() + 1000)
  const { answer } = (await ask(undefined, at)).decision
  expect(answer).toMatchObject({ refusal: { code: 'slot_held', facts: { retry_after: 5 } } })
})
