import { afterEach, beforeEach, expect, test } from 'vitest'
import { addArena } from '../../tools/proof/arena.ts'
import { beginGroup, turnGroup } from '../../tools/proof/groups.ts'
import { findViolations } from '../../tools/proof/invariants.ts'
import { openAccount, openWorld, type World } from '../../tools/proof/world.ts'
import { createDatabase, openTestPool, type TestDatabase } from '../support/database.ts'

// The proof's final checks must find groups whose rows were corrupted by hand.

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

async function itinerary() {
  const [one, other] = [await addArena(world.db, tables(1)), await addArena(world.db, tables(1))]
  const wish = { accountId: await openAccount(world.db), ...party(one.slotTimes[0]) }
  const group = await beginGroup(world, wish, 'itinerary', [one, other])
  if (!group) throw new Error('no itinerary')
  return group
}

test('an ended itinerary with a held part or a fee is found', async () => {
  const group = await itinerary()
  for (const _ of group.members) await turnGroup(world, group)
  expect(await turnGroup(world, group)).toBe('confirmed')
  expect(await broken()).toEqual([])
  await world.db.query('alter table booking_group disable trigger all_or_nothing')
  await world.db.query(`update booking_group set status = 'failed' where id = $1`, [group.groupId])
  expect(await broken()).toContain(
    'an itinerary is booked whole with all its fees, or leaves no hold and no charge',
  )
})

test('a group that never ends is found', async () => {
  await turnGroup(world, await itinerary())
  expect(await broken()).toContain('every group ends and has an answer')
})
