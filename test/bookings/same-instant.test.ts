import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { addArena, arenaKinds } from '../../tools/proof/arena.ts'
import { command } from '../../tools/proof/commands.ts'
import { findViolations } from '../../tools/proof/invariants.ts'
import {
  applyResponses,
  longAfterAnswerBy,
  venueResponds,
} from '../../tools/proof/venue-responses.ts'
import {
  openAccount,
  openWorld,
  outcomeOf,
  type RequestInput,
  request,
  type World,
} from '../../tools/proof/world.ts'
import { createDatabase, openTestPool, type TestDatabase } from '../support/database.ts'
import { stepDeps } from '../support/terms.ts'

// Each pair runs concurrently many times. Losing steps are retried, as the workflow would do.

const TIMES = 8
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
afterEach(async () => {
  expect(await findViolations(world.db)).toEqual([])
})

const now = () => new Date()
const hourLater = () => new Date(Date.now() + 3_600_000)
const decide = async (start: BookingStart) =>
  outcomeOf(world, start, await decideBooking(world.db, start, stepDeps, now()))
const endHold = async (start: BookingStart) =>
  (await actWhenDue(world.db, start, stepDeps, hourLater())).status

async function retried<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch {
    return step()
  }
}

/** The states in which a new booking ends when `one` and `other` happen to it at once. */
async function race(
  wanted: { kind: string; purpose?: 'hold' },
  one: (start: BookingStart) => Promise<unknown>,
  other: (start: BookingStart) => Promise<unknown>,
): Promise<Set<string>> {
  const kind = arenaKinds.find(({ name }) => name === wanted.kind) ?? arenaKinds[0]
  const ends = new Set<string>()
  for (let n = 0; n < TIMES; n += 1) {
    const arena = await addArena(world.db, kind)
    const asked: RequestInput = {
      slotTime: arena.slotTimes[0] ?? '',
      partySize: 2,
      accountId: await openAccount(world.db),
      ...(wanted.purpose && { purpose: wanted.purpose }),
    }
    const start = await request(world.db, arena, asked)
    await decide(start)
    await Promise.all([retried(() => one(start)), retried(() => other(start))])
    ends.add(await decide(start))
  }
  expect(await world.answers.findContradictions(world.db)).toEqual([])
  return ends
}

const held = { kind: 'one table', purpose: 'hold' } as const
const asked = { kind: 'venue with a connector' }
const subsetOf = (ends: Set<string>, allowed: string[]) =>
  expect([...ends].filter((end) => !allowed.includes(end))).toEqual([])

test('a hold confirmed as it expires is either confirmed or expires, never both', async () => {
  subsetOf(await race(held, (start) => command(world, start, 'confirm'), endHold), [
    'confirmed',
    'expired',
  ])
})

test('a hold confirmed and released at once ends one way, and the loser is told', async () => {
  const confirm = (start: BookingStart) => command(world, start, 'confirm')
  const release = (start: BookingStart) => command(world, start, 'release')
  subsetOf(await race(held, confirm, release), ['confirmed', 'released'])
})

test('a booking confirmed and cancelled at once is cancelled, free of charge', async () => {
  const cancel = (start: BookingStart) => command(world, start, 'cancel')
  const confirm = (start: BookingStart) => command(world, start, 'confirm')
  subsetOf(await race(held, confirm, cancel), ['cancelled', 'released'])
})

test('a venue says yes and no at once: one response prevails', async () => {
  const yes = (start: BookingStart) => venueResponds(world, start, 'confirmed')
  const no = (start: BookingStart) => venueResponds(world, start, 'declined')
  subsetOf(await race(asked, yes, no), ['confirmed', 'declined', 'cancelled'])
})

test('a venue says yes at answer_by: confirmed or expired, with or without a fee', async () => {
  const yes = (start: BookingStart) => venueResponds(world, start, 'confirmed')
  const tooLate = (start: BookingStart) => applyResponses(world, start, longAfterAnswerBy())
  subsetOf(await race(asked, yes, tooLate), ['confirmed', 'expired'])
})

test('a venue says yes while the agent cancels: cancelled, with a withdrawal due', async () => {
  const yes = (start: BookingStart) => venueResponds(world, start, 'confirmed')
  const cancel = (start: BookingStart) => command(world, start, 'cancel')
  subsetOf(await race(asked, yes, cancel), ['cancelled'])
})

test('two concurrent requests with one key are one request', async () => {
  const arena = await addArena(world.db, arenaKinds[0])
  const accountId = await openAccount(world.db)
  const slotTime = arena.slotTimes[0] ?? ''
  const start = await request(world.db, arena, { slotTime, partySize: 2, accountId }, 10)
  expect(await decide(start)).toBe('confirmed')
  const { rows } = await world.db.query(
    'select count(*)::int as requests from request where account_id = $1',
    [accountId],
  )
  expect(rows).toEqual([{ requests: 1 }])
})
