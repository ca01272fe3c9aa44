import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DAY_MS } from '../../src/base/durations.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectBookingForUpdate } from '../../src/bookings/store/bookings.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import { insertDecision } from '../../src/confirmation/store/venue-responses.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { type ArenaKind, addArena, arenaKinds } from '../../tools/proof/arena.ts'
import { command } from '../../tools/proof/commands.ts'
import { venueResponds } from '../../tools/proof/venue-responses.ts'
import { openAccount, openWorld, request, type World } from '../../tools/proof/world.ts'
import { storeCommand } from '../support/commands.ts'
import { createDatabase, openTestPool, type TestDatabase } from '../support/database.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { eventually } from '../support/programs.ts'
import { stepDeps } from '../support/terms.ts'
import { traces } from '../support/traces.ts'

let database: TestDatabase
let world: World

beforeAll(async () => {
  database = await createDatabase()
  world = await openWorld(openTestPool(database.url, 10))
})
afterAll(async () => {
  await world?.db.end()
  await database?.drop()
})

const kindOf = (name: string) => arenaKinds.find((kind) => kind.name === name) as ArenaKind
const withSystem = kindOf('venue with a connector')
const withStaff = kindOf('venue with staff')

/** A booking whose venue has not answered. */
async function asked(kind: ArenaKind) {
  const arena = await addArena(world.db, kind)
  const [slotTime = '', otherTime = ''] = arena.slotTimes
  const accountId = await openAccount(world.db)
  const start = await request(world.db, arena, { slotTime, partySize: 2, accountId })
  const { state } = await decideBooking(world.db, start, stepDeps, new Date())
  expect(state).toMatchObject({ status: 'pending' })
  return { start, otherTime, after: await clockOf(start) }
}

/** A booking whose venue offers another time. */
async function offered() {
  const { start, otherTime } = await asked(withStaff)
  expect(await venueResponds(world, start, 'offered', { offered: otherTime })).toBe('offered')
  return { start, otherTime, after: await clockOf(start) }
}

/** A clock in seconds after the deadline. */
async function clockOf({ bookingId }: BookingStart) {
  const { rows } = await world.db.query('select answer_by from booking where id = $1', [bookingId])
  const end = rows[0].answer_by.getTime()
  return (seconds: number) => new Date(end + seconds * 1000)
}

const say = ({ bookingId }: BookingStart, at: Date, revision = 2) =>
  insertDecision(world.db, {
    id: `msg_${randomUUID()}`,
    bookingId,
    revision,
    status: 'confirmed',
    answeredAt: at,
    receivedAt: at,
  })

const apply = async (start: BookingStart, at: Date) =>
  (await applyVenueResponses(world.db, start, stepDeps, at)).state

/** The result of `step` when `work` commits while it waits for the booking's row. */
async function whileLocked(
  { bookingId }: BookingStart,
  step: () => Promise<unknown>,
  work: () => Promise<unknown>,
) {
  const { waiting } = await transaction(world.db, async (tx) => {
    await selectBookingForUpdate(tx, bookingId)
    const begun = Promise.allSettled([step()])
    await untilWaiting(world.db, 1)
    await work()
    return { waiting: begun }
  })
  return (await waiting)[0]?.status
}

test('an offer accepted in time is booked, however late a worker runs it', async () => {
  const { start, otherTime, after } = await offered()
  const id = await storeCommand(world.db, start, 'accept_offer', after(-1))
  const late = { commandIds: [id], at: after(900) }
  const { answers } = await runCommands(world.db, start, stepDeps, late)
  const booking = { status: 'confirmed', slot_time: otherTime }
  expect(answers[id]).toMatchObject({ booking })
  expect((await traces(world.db, start.bookingId)).fees).toHaveLength(1)
})

test('an acceptance given in time runs before the offer ends', async () => {
  const { start, after } = await offered()
  await storeCommand(world.db, start, 'accept_offer', after(-1))
  expect(await apply(start, after(900))).toMatchObject({ status: 'offered' })
  const { status } = await actWhenDue(world.db, start, stepDeps, after(900))
  expect(status).toBe('confirmed')
})

test('an offer accepted too late is over, even if nothing had ended it', async () => {
  const { start, after } = await offered()
  expect(await command(world, start, 'accept_offer', { at: after(1) })).toBe(
    'refused: offer_expired',
  )
  const { status } = await actWhenDue(world.db, start, stepDeps, after(60))
  expect(status).toBe('expired')
})

test('an offer is not booked once its time has begun, whenever it was accepted', async () => {
  const { start, after } = await offered()
  const id = await storeCommand(world.db, start, 'accept_offer', after(-1))
  const at = new Date(Date.parse(start.startsAt) + 3_600_000)
  const { answers } = await runCommands(world.db, start, stepDeps, { commandIds: [id], at })
  expect(answers[id]).toMatchObject({ refusal: { code: 'offer_expired' } })
  const { status } = await actWhenDue(world.db, start, stepDeps, at)
  expect(status).toBe('expired')
})

test('an acceptance stored while the end of its offer waits for the row still counts', async () => {
  const { start, after } = await offered()
  const act = () => actWhenDue(world.db, start, stepDeps, after(900))
  const accept = () => storeCommand(world.db, start, 'accept_offer', after(-1))
  expect(await whileLocked(start, act, accept)).toBe('rejected')
  expect(await act()).toMatchObject({ status: 'confirmed' })
})

test.each([withSystem, withStaff])('a yes received in time counts at a $name', async (kind) => {
  const { start, after } = await asked(kind)
  await say(start, after(-2))
  expect(await apply(start, after(900))).toMatchObject({ status: 'confirmed' })
})

test.each([withSystem, withStaff])(
  'a yes received in time but stored after the deadline counts at a $name',
  async (kind) => {
    const { start, after } = await asked(kind)
    expect(await apply(start, after(1))).toMatchObject({ status: 'pending' })
    await say(start, after(-2))
    expect(await apply(start, after(3))).toMatchObject({ status: 'confirmed' })
  },
)

test('a yes stored while the end of the wait waits for the row still counts', async () => {
  const { start, after } = await asked(withSystem)
  const expire = () => apply(start, after(900))
  expect(await whileLocked(start, expire, () => say(start, after(-2)))).toBe('rejected')
  expect(await expire()).toMatchObject({ status: 'confirmed' })
})

test('a yes to a change that was received in time but stored late counts', async () => {
  const { start, otherTime } = await asked(withSystem)
  await say(start, new Date())
  expect(await apply(start, new Date())).toMatchObject({ status: 'confirmed' })
  const given = { slot_time: otherTime, party_size: 2 }
  await command(world, start, 'amend', { input: given })
  const after = await clockOf(start)
  expect(await apply(start, after(1))).toMatchObject({ change: { phase: 'asked' } })
  const { rows } = await world.db.query('select change_revision from booking where id = $1', [
    start.bookingId,
  ])
  const yes = () => say(start, after(-2), rows[0].change_revision)
  const expire = () => apply(start, after(900))
  expect(await whileLocked(start, expire, yes)).toBe('rejected')
  expect(await expire()).toMatchObject({ status: 'confirmed', now: { slotTime: otherTime } })
})

test('a booking is not completed while its venue is being asked for a change', async () => {
  const { start, otherTime } = await asked(withSystem)
  await say(start, new Date())
  expect(await apply(start, new Date())).toMatchObject({ status: 'confirmed' })
  // The change commits while due work is being looked up.
  const input = { slot_time: otherTime, party_size: 2 }
  const beforeDue = vi.fn(stepDeps.hooks.beforeDue).mockImplementationOnce(async (...due) => {
    await stepDeps.hooks.beforeDue(...due)
    await command(world, start, 'amend', { input })
  })
  const deps = { ...stepDeps, hooks: { ...stepDeps.hooks, beforeDue } }
  const { rows } = await world.db.query('select ends_at from booking where id = $1', [
    start.bookingId,
  ])
  const act = () => actWhenDue(world.db, start, deps, new Date(rows[0].ends_at.getTime() + DAY_MS))
  await expect(act()).rejects.toThrow('the booking has changed')
  await eventually('the end of the booking', async () => (await act()).status === 'completed')
  const { rows: left } = await world.db.query(
    `select exists (select from booking_change c where c.booking_id = b.id) as has_change,
       exists (select from command where booking_id = b.id and answer is null) as has_command
     from booking b where b.id = $1`,
    [start.bookingId],
  )
  expect(left).toEqual([{ has_change: false, has_command: false }])
})

test('without a yes the wait ends shortly after its deadline', async () => {
  const system = await asked(withSystem)
  expect(await apply(system.start, system.after(60))).toMatchObject({ status: 'expired' })
  const staff = await asked(withStaff)
  const due = await actWhenDue(world.db, staff.start, stepDeps, staff.after(60))
  expect(due).toMatchObject({ status: 'expired' })
})

test('people are reminded once, and not checked again before the wait ends', async () => {
  const { start, after } = await asked(withStaff)
  const reminded = await actWhenDue(world.db, start, stepDeps, after(-60))
  expect(Date.parse(reminded.nextActionAt ?? '')).toBeGreaterThan(after(0).getTime())
  const at = new Date(reminded.nextActionAt ?? '')
  expect(await actWhenDue(world.db, start, stepDeps, at)).toMatchObject({ status: 'expired' })
})
