import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 3, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

async function addCommand(bookingId: string, kind: string, at: Date, input: unknown = {}) {
  const id = randomUUIDv7()
  await db.query(
    `insert into command (id, booking_id, kind, input, door, created_at)
     values ($1, $2, $3, $4, 'rest', $5)`,
    [id, bookingId, kind, JSON.stringify(input), at],
  )
  return id
}

test('a command that can never succeed is given up, and the next one runs', async () => {
  const start = await requestDaysAhead(db)
  await decideBooking(db, start, stepDeps, new Date())
  const at = new Date()
  const broken = await addCommand(start.bookingId, 'refuse_offer', at)
  const cancel = await addCommand(start.bookingId, 'cancel', new Date(at.getTime() + 1))
  const deps = {
    ...stepDeps,
    venue: {
      ...stepDeps.venue,
      commands: {
        async refuse_offer(): Promise<never> {
          throw new Error('a fault of ours')
        },
      },
    },
  }
  const run = () => runCommands(db, start, deps, { commandIds: [broken, cancel], at: new Date() })
  for (let n = 1; n < 10; n += 1) await expect(run()).rejects.toThrow('a fault of ours')
  const { state, answers } = await run()
  expect(state?.status).toBe('cancelled')
  expect(answers[broken]).toMatchObject({ refusal: { code: 'internal_error' } })
  expect(answers[cancel]).toMatchObject({ booking: { status: 'cancelled' } })
  expect((await run()).answers).toEqual(answers)
})

const atNoTime = { slot_time: '2026-99-99T20:00:00', party_size: 2 }

test.each([
  ['that cannot be read', 'extend', 'garbage'],
  ['for a time that cannot be', 'amend', atNoTime],
])('a command %s is given up at once, and the next one runs', async (_, kind, input) => {
  const start = await requestDaysAhead(db)
  await decideBooking(db, start, stepDeps, new Date())
  const at = new Date()
  const garbage = await addCommand(start.bookingId, kind, at, input)
  const cancel = await addCommand(start.bookingId, 'cancel', new Date(at.getTime() + 1))
  const asked = [garbage, cancel]
  const run = () => runCommands(db, start, stepDeps, { commandIds: asked, at: new Date() })
  const { state, answers } = await run()
  expect(state?.status).toBe('cancelled')
  expect(answers[garbage]).toMatchObject({ refusal: { code: 'internal_error' } })
  expect(answers[cancel]).toMatchObject({ booking: { status: 'cancelled' } })
})
