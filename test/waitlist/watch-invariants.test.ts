import { randomUUIDv7 } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { addArena } from '../../tools/proof/arena.ts'
import { findViolations } from '../../tools/proof/invariants.ts'
import { watch } from '../../tools/proof/watches.ts'
import { openAccount, openWorld, request, type World } from '../../tools/proof/world.ts'
import { createDatabase, openTestPool, type TestDatabase } from '../support/database.ts'
import { stepDeps } from '../support/terms.ts'

// The proof's final checks must find watches whose rows were corrupted by hand.

let database: TestDatabase
let world: World

beforeEach(async () => {
  database = await createDatabase()
  world = await openWorld(openTestPool(database.url, 10))
})
afterEach(async () => {
  await world?.db.end()
  await database?.drop()
})

const tables = (table: number) => ({
  name: 'tables',
  confirmMode: 'auto' as const,
  stock: { table },
  requires: [{ kind: 'table', per: 'party' as const }],
  places: 0,
})
const party = (slotTime: string | undefined) => ({ slotTime: slotTime ?? '', partySize: 2 })
const broken = async () => (await findViolations(world.db)).map(({ name }) => name)

test('a watch that was skipped, or whose slot is gone, is found', async () => {
  const arena = await addArena(world.db, tables(1))
  const [slotTime] = arena.slotTimes
  const accountId = await openAccount(world.db)
  const start = await request(world.db, arena, { accountId, ...party(slotTime) })
  await decideBooking(world.db, start, stepDeps, new Date())
  expect(await watch(world, { arena, accountId, ...party(slotTime) })).toBe('watching')
  expect(await broken()).toEqual([])

  await world.db.query(
    `insert into resource (id, venue_id, kind, name, party_min, party_max)
     select $2, venue_id, 'table', 'one more', 1, 4 from booking where id = $1`,
    [start.bookingId, randomUUIDv7()],
  )
  expect(await broken()).toEqual([
    'no waitlist entry without an offer waits for a slot that is free',
  ])

  await world.db.query(`update waitlist_entry set status = 'offered', hold_id = $1`, [
    start.bookingId,
  ])
  await world.db.query(
    `insert into waitlist_turn (hold_id, entry_id, offered_at)
     select $1, id, now() from waitlist_entry`,
    [start.bookingId],
  )
  expect(await broken()).toContain(
    'a hold offered to a waitlist entry stays its own until confirmed or released',
  )
})
