import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { type ArenaKind, addArena } from '../../tools/proof/arena.ts'
import { command } from '../../tools/proof/commands.ts'
import { openAccount, openWorld, request, type World } from '../../tools/proof/world.ts'
import { createDatabase, openTestPool, type TestDatabase } from '../support/database.ts'
import { stepDeps } from '../support/terms.ts'

let database: TestDatabase
let world: World

beforeAll(async () => {
  database = await createDatabase()
  world = await openWorld(openTestPool(database.url, 20))
})

afterAll(async () => {
  await world?.db.end()
  await database?.drop()
})

const PAIRS = 4
const ROUNDS = 40

test('concurrent holds and releases by one account in one class do not deadlock', async () => {
  const large: ArenaKind = {
    name: 'large class',
    confirmMode: 'auto',
    stock: {},
    requires: [],
    places: 100,
  }
  const arena = await addArena(world.db, large)
  const accountId = await openAccount(world.db)
  const slotTime = arena.slotTimes[0] ?? ''
  const hold = async () => {
    const start = await request(world.db, arena, {
      slotTime,
      partySize: 1,
      accountId,
      purpose: 'hold',
    })
    const { state } = await decideBooking(world.db, start, stepDeps, new Date())
    return { start, status: state?.status }
  }
  let held = await Promise.all(Array.from({ length: PAIRS }, hold))
  for (let round = 0; round < ROUNDS; round += 1) {
    const [next, released] = await Promise.all([
      Promise.all(Array.from({ length: PAIRS }, hold)),
      Promise.all(held.map(({ start }) => command(world, start, 'release'))),
    ])
    expect(released).toEqual(held.map(() => 'released'))
    held = next
  }
})
