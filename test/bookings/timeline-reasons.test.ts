import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookingStart, CommandKind } from '../../src/bookings/rules/booking-messages.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { dryRunAmend } from '../../src/bookings/steps/amend.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { insertCommand } from '../../src/bookings/store/commands.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import { deleteConnector, upsertConnector } from '../../src/confirmation/store/connectors.ts'
import { claimOptionalVenueRequest } from '../../src/confirmation/store/venue-requests.ts'
import { insertStatedResponse } from '../../src/confirmation/store/venue-responses.ts'
import { openPool, type Pool, transaction } from '../../src/platform/database/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { timelineOf, verifies } from '../support/timeline.ts'

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

const confirmed = async () => {
  const start = await requestDaysAhead(db)
  await decideBooking(db, start, stepDeps, new Date())
  return start
}

/** Submits one of the agent's commands and runs it. */
const command = async (
  start: BookingStart,
  kind: CommandKind,
  input: Record<string, unknown> = {},
  at = new Date(),
) => {
  const { accountId, bookingId } = start
  const unkeyed = { idempotencyKey: null, bodyHash: Buffer.from('x'), guest: null, fromAgent: null }
  const given = { id: randomUUIDv7(), accountId, bookingId, kind, input, door: 'rest', at }
  await insertCommand(db, { ...given, ...unkeyed })
  await runCommands(db, start, stepDeps, { commandIds: [], at })
}

const toldOf = async (start: BookingStart) => {
  expect(await verifies(db, start)).toBe(true)
  const { entries } = await timelineOf(db, start)
  return entries.map(({ by, what, why }) => `${by}: ${what} ${why}`)
}
/** Deadlines are in the venue’s time zone, like its slots. */
const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d \\(Asia/[A-Z][a-z]+\\)'

test('a hold records its expiry, its extension and its release', async () => {
  const start: BookingStart = { ...(await requestDaysAhead(db)), purpose: 'hold' }
  await decideBooking(db, start, stepDeps, new Date())
  await command(start, 'extend')
  await command(start, 'release')
  const [, ...told] = await toldOf(start)
  expect((await timelineOf(db, start)).entries[0]?.why).toMatch(
    new RegExp(`^The agent asked to hold it. The hold ends by itself at ${time}.$`),
  )
  expect(told).toEqual([
    expect.stringMatching(
      new RegExp(`^agent: The hold was extended to ${time}. The agent asked for it.$`),
    ),
    'agent: The hold was released. The agent asked for it.',
  ])
})

test('a hold that an operator cancelled cannot be confirmed, which says why', async () => {
  const start: BookingStart = { ...(await requestDaysAhead(db)), purpose: 'hold' }
  await decideBooking(db, start, stepDeps, new Date())
  await command(start, 'cancel', { by: 'operator', reason: 'Flu' })
  await command(start, 'confirm')
  const { rows } = await db.query(
    `select answer from command where booking_id = $1 and kind = 'confirm'`,
    [start.bookingId],
  )
  expect(rows[0].answer.refusal).toMatchObject({
    code: 'already_final',
    message: expect.stringMatching(/^The slot was cancelled: Flu\. /),
  })
})

test('an unconfirmed hold expired by itself', async () => {
  const start: BookingStart = { ...(await requestDaysAhead(db)), purpose: 'hold' }
  await decideBooking(db, start, stepDeps, new Date())
  await actWhenDue(db, start, stepDeps, new Date(Date.now() + 3_600_000))
  expect((await toldOf(start)).slice(1)).toEqual([
    'network: The booking expired. The hold ended before it was confirmed.',
  ])
})

test('a change records what changed, a cancellation who wanted it and its fee', async () => {
  const start = await confirmed()
  await command(start, 'amend', { party_size: 1 })
  await command(start, 'cancel', { by: 'guest' }, new Date(Date.parse(start.startsAt) - 60_000))
  expect((await toldOf(start)).slice(2)).toEqual([
    'agent: It was changed from 2 to 1 guests. The agent asked for it.',
    expect.stringMatching(
      new RegExp(
        '^guest: The booking was cancelled. The guest asked for it. ' +
          `Cancelling was free until ${time}, so the fee stays.$`,
      ),
    ),
  ])
  const other = await confirmed()
  await command(other, 'cancel')
  expect((await toldOf(other)).at(-1)).toBe(
    'agent: The booking was cancelled. Its fee was reversed. The agent asked for it.',
  )
})

test('a dry run and a refused command leave no entry', async () => {
  const start = await confirmed()
  await dryRunAmend(db, start, { party_size: 1 }, { ...stepDeps, at: new Date() })
  await command(start, 'amend', { party_size: 500 })
  await command(start, 'extend')
  expect(await toldOf(start)).toHaveLength(2)
})

test('a connected venue’s responses are recorded as its own', async () => {
  const start = await requestDaysAhead(db)
  await upsertConnector(
    db,
    { venueId: start.venueId, url: 'https://venue.example/', secret: 'never opened here' },
    new Date(),
  )
  const at = new Date()
  const say = async (status: 'confirmed' | 'declined' | 'cancelled', minutes: number) => {
    const answered_at = new Date(at.getTime() + minutes * 60_000)
    const message = { id: `msg_${randomUUID()}`, receivedAt: answered_at }
    const booking_id = start.bookingId
    const said = { type: 'booking.state', booking_id, revision: 2, status, answered_at } as const
    await insertStatedResponse(db, message, said)
    await applyVenueResponses(db, start, stepDeps, answered_at)
  }
  await decideBooking(db, start, stepDeps, at)
  await claimOptionalVenueRequest(db, start.bookingId)
  await say('confirmed', 1)
  await say('cancelled', 2)
  await say('confirmed', 3)
  await transaction(db, (tx) => deleteConnector(tx, start.venueId))
  const [, asked, ...told] = await toldOf(start)
  expect(asked).toMatch(
    new RegExp(
      '^network: The venue was asked to confirm the booking. ' +
        `This venue confirms its own bookings. It has until ${time} to answer.$`,
    ),
  )
  expect(told).toEqual([
    'venue: The booking was confirmed. Its fee was recorded. The venue said yes in time.',
    'venue: The booking was cancelled. Its fee was reversed. ' +
      'The venue said that it can no longer honour the booking.',
    'network: The venue is being told that the booking is no longer valid. ' +
      'The venue said yes to a booking that is over.',
  ])
})
