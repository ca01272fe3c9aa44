import { randomUUIDv7 } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createDatabase, openTestPool } from '../support/database.ts'
import { type FullSlot, fillSlot, releaseBooking } from '../support/full-slot.ts'
import { addWatch } from './add-watch.ts'

let drop: () => Promise<void>
let db: Pool

beforeEach(async () => {
  const database = await createDatabase()
  db = openTestPool(database.url, 10)
  drop = database.drop
})
afterEach(async () => {
  await db.end()
  await drop()
})

/** The venues with an opened slot, and the hour. */
const opened = async () => (await db.query('select venue_id, hour from unpublished_slot')).rows

const hourOf = (at: Date) => new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000)

const releaseOne = (full: FullSlot, at?: Date) =>
  releaseBooking(db, full.holders.at(-1) as BookingStart, at)

test.each([
  ['restaurant', 2],
  ['gym', 1],
  ['spa', 1],
])(
  'the first release of a full %s opens a slot, of which only the hour is stored',
  async (category, partySize) => {
    const full = await fillSlot(db, { category, partySize })
    const at = new Date()
    await releaseOne(full, at)
    expect(await opened()).toEqual([{ venue_id: full.slot.venueId, hour: hourOf(at) }])
  },
)

test('releasing a place of a slot that was not full opens no slot', async () => {
  const full = await fillSlot(db, { category: 'gym', partySize: 1, atLeast: 2 })
  const [first, second] = full.holders as [BookingStart, BookingStart]
  await releaseBooking(db, first)
  expect(await opened()).toHaveLength(1)
  await releaseBooking(db, second)
  expect(await opened()).toHaveLength(1)
})

test('a slot offered to the waitlist does not open', async () => {
  const full = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  await addWatch(db, full.slot)
  await releaseOne(full)
  expect(await opened()).toEqual([])
})

test('nothing opens on a day for which the venue has since closed', async () => {
  const full = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const { venueId, slotTime } = full.slot
  await db.query(
    `insert into day_exception (id, venue_id, date, windows, reason)
     values ($1, $2, $3, '[]', 'closed')`,
    [randomUUIDv7(), venueId, slotTime.slice(0, 10)],
  )
  await releaseOne(full)
  expect(await opened()).toEqual([])
})
