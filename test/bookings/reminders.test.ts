import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMinutes } from '../../src/base/local-time.ts'
import type { BookingStart, CommandKind } from '../../src/bookings/rules/booking-messages.ts'
import { completesAt, reminderShiftMs } from '../../src/bookings/rules/due.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { openBooking } from '../../src/bookings/steps/open-booking.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectSchedule } from '../../src/bookings/store/bookings.ts'
import { insertCommand } from '../../src/bookings/store/commands.ts'
import { updateReminders } from '../../src/bookings/store/requests.ts'
import { selectOptionalTimeline } from '../../src/bookings/store/timeline.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createDatabase, openTestPool } from '../support/database.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps, terms } from '../support/terms.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 10)
})
afterAll(async () => {
  await db.end()
  await database.drop()
})

const minutesAhead = ({ startsAt }: BookingStart, minutes: number) =>
  new Date(Date.parse(startsAt) - minutes * 60_000)

/** A booking three days ahead, confirmed this many minutes before its slot. */
async function confirmedBooking({ reminders, ahead }: { reminders?: number[]; ahead?: number }) {
  const start = await requestDaysAhead(db)
  if (reminders) await updateReminders(db, start.bookingId, reminders)
  await openBooking(db, start, new Date())
  await decideBooking(db, start, stepDeps, ahead ? minutesAhead(start, ahead) : new Date())
  return start
}

/** Wakes the booking as its workflow does, at each due time until `until`. */
async function live(start: BookingStart, until: Date) {
  for (;;) {
    const { rows } = await db.query('select next_action_at from booking where id = $1', [
      start.bookingId,
    ])
    const due: Date | null = rows[0].next_action_at
    if (due === null || due > until) return
    await actWhenDue(db, start, stepDeps, due)
  }
}

async function reminded(start: BookingStart): Promise<number[]> {
  const { rows } = await db.query(
    `select (data ->> 'minutes_before')::int as minutes from event
     where booking_id = $1 and type = 'booking.reminder' order by number`,
    [start.bookingId],
  )
  return rows.map(({ minutes }) => minutes)
}

const statusOf = async (start: BookingStart) =>
  (await db.query('select status from booking where id = $1', [start.bookingId])).rows[0].status

async function give(start: BookingStart, kind: CommandKind, input: object, at: Date) {
  const { accountId, bookingId } = start
  await insertCommand(db, {
    id: randomUUIDv7(),
    accountId,
    bookingId,
    kind,
    input: { ...input },
    idempotencyKey: null,
    bodyHash: Buffer.from(''),
    guest: null,
    door: 'rest',
    fromAgent: null,
    at,
  })
  await runCommands(db, start, stepDeps, { commandIds: [], at })
}

test('an agent is reminded a day and two hours ahead; then the booking completes', async () => {
  const start = await confirmedBooking({})
  const { revision } = (
    await db.query('select revision from booking where id = $1', [start.bookingId])
  ).rows[0]
  await live(start, minutesAhead(start, 600))
  expect(await reminded(start)).toEqual([1440])
  await live(start, minutesAhead(start, 0))
  expect(await reminded(start)).toEqual([1440, 120])
  const { rows } = await db.query(
    `select e.data, e.created_at, b.revision from event e join booking b on b.id = e.booking_id
     where e.booking_id = $1 and e.type = 'booking.reminder' order by e.number`,
    [start.bookingId],
  )
  expect(rows[0].data.booking).toMatchObject({ id: start.bookingId, starts_at: start.startsAt })
  for (const [n, minutes] of [1440, 120].entries()) {
    const off = rows[n].created_at.getTime() - minutesAhead(start, minutes).getTime()
    expect(Math.abs(off)).toBeLessThanOrEqual(reminderShiftMs(minutes) + 1)
    expect(rows[n].revision).toBe(revision)
  }
  const { entries } = (await selectOptionalTimeline(db, start.accountId, start.bookingId)) ?? {}
  expect(entries?.slice(-2)).toMatchObject([
    { by: 'network', why: 'A reminder was due 24 h before it.', status: 'confirmed', revision },
    { by: 'network', why: 'A reminder was due 2 h before it.', status: 'confirmed', revision },
  ])
  const schedule = await selectSchedule(db, start.bookingId)
  await live(start, completesAt(schedule, terms.completionGraceMinutes))
  expect(await statusOf(start)).toBe('completed')
})

test('each reminder is sent once, even by ten concurrent workers', async () => {
  const start = await confirmedBooking({})
  for (const minutes of [1409, 104]) {
    const at = minutesAhead(start, minutes)
    const ten = Array.from({ length: 10 }, () => actWhenDue(db, start, stepDeps, at))
    // A read that conflicts with another's commit fails, and is retried.
    await Promise.allSettled(ten)
    await actWhenDue(db, start, stepDeps, at)
  }
  expect(await reminded(start)).toEqual([1440, 120])
})

test('reminders whose time has passed at confirmation are not sent', async () => {
  const start = await confirmedBooking({ ahead: 60 })
  await live(start, minutesAhead(start, 0))
  expect(await reminded(start)).toEqual([])
})

test('an agent can set its reminders, or none', async () => {
  const often = await confirmedBooking({ reminders: [5, 90, 2880, 90] })
  await live(often, minutesAhead(often, 0))
  expect(await reminded(often)).toEqual([2880, 90, 5])
  const never = await confirmedBooking({ reminders: [] })
  await live(never, minutesAhead(never, 0))
  expect(await reminded(never)).toEqual([])
})

test('reminders given at confirmation replace those of the hold', async () => {
  const start = { ...(await requestDaysAhead(db)), purpose: 'hold' as const }
  await updateReminders(db, start.bookingId, [30])
  await openBooking(db, start, new Date())
  await decideBooking(db, start, stepDeps, new Date())
  await give(start, 'confirm', { reminders: [45] }, new Date())
  await live(start, minutesAhead(start, 0))
  expect(await reminded(start)).toEqual([45])
})

test('after an outage the latest reminder is sent before the slot, and none after', async () => {
  const away = await confirmedBooking({})
  await actWhenDue(db, away, stepDeps, minutesAhead(away, 30))
  await live(away, minutesAhead(away, 0))
  expect(await reminded(away)).toEqual([120])
  const longer = await confirmedBooking({})
  await actWhenDue(db, longer, stepDeps, minutesAhead(longer, -5))
  expect([await reminded(longer), await statusOf(longer)]).toEqual([[], 'confirmed'])
  await live(longer, minutesAhead(longer, -24 * 60))
  expect([await reminded(longer), await statusOf(longer)]).toEqual([[], 'completed'])
})

test('an amended booking gets reminders of its new slot only', async () => {
  const start = await confirmedBooking({})
  await live(start, minutesAhead(start, 600))
  expect(await reminded(start)).toEqual([1440])
  const WEEK = 7 * 24 * 60
  const slot_time = addMinutes(start.slotTime, WEEK)
  await give(start, 'amend', { slot_time }, minutesAhead(start, 590))
  await live(start, minutesAhead(start, -24 * 60))
  expect([await reminded(start), await statusOf(start)]).toEqual([[1440], 'confirmed'])
  await live(start, minutesAhead(start, -WEEK))
  expect(await reminded(start)).toEqual([1440, 1440, 120])
})

test('no reminder is sent after a cancellation', async () => {
  const start = await confirmedBooking({})
  await live(start, minutesAhead(start, 600))
  await give(start, 'cancel', {}, minutesAhead(start, 590))
  await actWhenDue(db, start, stepDeps, minutesAhead(start, 110))
  expect([await reminded(start), await statusOf(start)]).toEqual([[1440], 'cancelled'])
})
