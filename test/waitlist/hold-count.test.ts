import { afterEach, beforeEach, expect, test } from 'vitest'
import { countHold } from '../../src/bookings/store/holds.ts'
import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import { insertBareBooking } from '../support/bare-booking.ts'
import { createDatabase, openTestPool } from '../support/database.ts'
import { fillSlot, releaseBooking } from '../support/full-slot.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { addWatch } from './add-watch.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool

beforeEach(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 10)
})

afterEach(async () => {
  await db.end()
  await database.drop()
})

/** Turns a booking that awaits confirmation into an explicit hold by its account. */
async function countAsHold(bookingId: string, accountId: string): Promise<void> {
  await db.query(
    `with counted as (insert into hold_counter (account_id, live) values ($2, 1))
     update booking set hold_until = now() + interval '5 minutes' where id = $1`,
    [bookingId, accountId],
  )
}

/** Another table, which is tried before all others. */
const addTable = (bookingId: string) =>
  db.query(
    `insert into resource (id, venue_id, can, kind, name, party_min, party_max)
     select '00000000-0000-4000-8000-000000000001', venue_id, array[service_id], 'table',
       'a new one', 1, 2
     from booking where id = $1`,
    [bookingId],
  )

async function read(text: string, values: unknown[] = []) {
  const { rows } = await db.query(text, values)
  return rows[0]
}

test('an ending hold offers its table before lowering the hold count: no deadlock', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const [held] = holders
  if (!held) throw new Error('nobody holds anything')
  const { bookingId, accountId } = held
  await countAsHold(bookingId, accountId)
  await addWatch(db, slot)
  await addTable(bookingId)
  const span = await read(
    `select venue_id, lower(during) as from, upper(during) as until from allocation
     where booking_id = $1`,
    [bookingId],
  )
  const beginner = await insertBareBooking(db, accountId)
  // A starting hold has taken the new table, unannounced, and is about to be counted …
  const taken = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const beginning = transaction(db, async (tx) => {
    await tx.query(
      `insert into allocation (booking_id, venue_id, resource_id, during, active)
       select $1, $2, '00000000-0000-4000-8000-000000000001', tstzrange($3, $4), true`,
      [beginner, span.venue_id, span.from, span.until],
    )
    taken.resolve()
    await goesOn.promise
    return countHold(tx, accountId)
  })
  await taken.promise
  // … while a hold that ends would offer that table, and waits for it.
  const ending = releaseBooking(db, held)
  await untilWaiting(db, 1)
  goesOn.resolve()
  expect(await beginning).toBe(true)
  await ending
  expect(await read('select status from waitlist_entry')).toEqual({ status: 'offered' })
  expect(await read('select live from hold_counter where account_id = $1', [accountId])).toEqual({
    live: 1,
  })
  expect(
    await read('select deadlocks::int from pg_stat_database where datname = current_database()'),
  ).toEqual({ deadlocks: 0 })
})
