import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { selectLostBookings } from '../../src/bookings/store/booking-starts.ts'
import { NOTICE_TRIES } from '../../src/confirmation/rules/venue-patience.ts'
import { notifyVenue } from '../../src/confirmation/steps/notify-venue.ts'
import { contactContext, upsertContact } from '../../src/confirmation/store/venue-contacts.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import type { OutboundRequest } from '../../src/platform/http/client.ts'
import { OutboundError } from '../../src/platform/http/failure.ts'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { addArena, arenaKinds } from '../../tools/proof/arena.ts'
import { command } from '../../tools/proof/commands.ts'
import { openAccount, openWorld, request, type World } from '../../tools/proof/world.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { readableLog } from '../support/lines.ts'
import { testVenues } from '../support/no-test-venues.ts'
import { stepDeps } from '../support/terms.ts'

const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
const other = createSealer(parseSealingKeys(newSealingKey()) ?? [])
let database: TestDatabase
let world: World
let post: () => Promise<{ status: number }>
let ids: string[] = []

beforeAll(async () => {
  database = await createDatabase()
  world = await openWorld(openPool(database.url, 5, () => {}))
})
afterAll(async () => {
  await world?.db.end()
  await database?.drop()
})
beforeEach(() => {
  ids = []
  post = async () => ({ status: 204 })
})

/** A booking that waits for staff at a venue with an address for notices. */
async function asked(sealedBy = sealer): Promise<BookingStart> {
  const kind = arenaKinds.find(({ name }) => name === 'venue with staff') ?? arenaKinds[0]
  const arena = await addArena(world.db, kind)
  const secret = sealedBy.seal(newSigningSecret(), contactContext(arena.id))
  const url = 'https://venue.example/notices'
  await upsertContact(world.db, { venueId: arena.id, url, secret })
  const asking = { slotTime: arena.slotTimes[0] ?? '', partySize: 2 }
  const accountId = await openAccount(world.db)
  const start = await request(world.db, arena, { ...asking, accountId })
  await decideBooking(world.db, start, stepDeps, new Date())
  return start
}

/** One attempt of the activity: its result or its failure. */
async function attempt(start: BookingStart) {
  const outbound = {
    async send({ headers }: OutboundRequest) {
      ids.push(String(headers['webhook-id']))
      return { headers: {}, body: '', ms: 0, ...(await post()) } as never
    },
    close: async () => {},
  }
  const deps = { db: world.db, outbound, sealer, publicUrl: 'https://network.example' }
  const rest = { log: readableLog().log, count: () => {}, testVenues }
  const { signal } = new AbortController()
  return notifyVenue({ ...deps, ...rest }, start, signal).catch(
    ({ message }) => `failed: ${message}`,
  )
}

async function dueOf({ bookingId }: BookingStart): Promise<string | null> {
  const text = 'select notice_due from booking where id = $1'
  return (await world.db.query(text, [bookingId])).rows[0].notice_due
}

test('a notice is sent once', async () => {
  const start = await asked()
  expect(await attempt(start)).toBe('request.waiting')
  expect(await attempt(start)).toBe('nothing to send')
  expect(ids).toHaveLength(1)
})

test('all attempts to send a notice have the same webhook-id, unlike other notices', async () => {
  const start = await asked()
  post = async () => ({ status: 503 })
  await attempt(start)
  await attempt(start)
  await command(world, start, 'cancel')
  await attempt(start)
  expect(ids).toEqual([ids[0], ids[0], expect.not.stringMatching(String(ids[0]))])
  // A dot would separate the id from the rest of the signed text.
  for (const id of ids) expect(id).toMatch(/^msg_[\w-]+$/)
})

test('a notice is given up once its address has failed too often', async () => {
  const start = await asked()
  post = async () => ({ status: 503 })
  for (let tries = 1; tries < NOTICE_TRIES; tries += 1) {
    expect(await attempt(start)).toBe('failed: status 503')
    expect(await dueOf(start)).toBe('request.waiting')
  }
  expect(await attempt(start)).toBe('status 503')
  expect(await dueOf(start)).toBe(null)
})

test('a notice that fails on our side is kept, however often', async () => {
  const start = await asked()
  for (const kind of ['busy', 'aborted'] as const) {
    post = () => Promise.reject(new OutboundError(kind))
    for (let tries = 0; tries < NOTICE_TRIES; tries += 1) {
      expect(await attempt(start)).toMatch('failed: ')
    }
  }
  expect(await dueOf(start)).toBe('request.waiting')
  post = async () => ({ status: 204 })
  expect(await attempt(start)).toBe('request.waiting')
})

test('a notice whose secret cannot be opened is kept, however often', async () => {
  const start = await asked(other)
  for (let tries = 0; tries <= NOTICE_TRIES; tries += 1) {
    expect(await attempt(start)).toMatch('failed: ')
  }
  expect(ids).toEqual([])
  expect(await dueOf(start)).toBe('request.waiting')
})

test('the failures of one notice do not count for the next', async () => {
  const start = await asked()
  post = async () => ({ status: 503 })
  for (let tries = 1; tries < NOTICE_TRIES; tries += 1) await attempt(start)
  await command(world, start, 'cancel')
  expect(await attempt(start)).toBe('failed: status 503')
  expect(await dueOf(start)).toBe('booking.changed')
})

test('a booking counts as lost while a notice is unsent, even when it is over', async () => {
  const start = await asked()
  await command(world, start, 'cancel')
  const isLost = async (dueBefore: Date) =>
    (await selectLostBookings(world.db, dueBefore, { after: null, limit: 1000 })).includes(
      start.bookingId,
    )
  const soon = new Date(Date.now() + 1000)
  expect(await isLost(new Date(Date.now() - 60_000))).toBe(false)
  expect(await isLost(soon)).toBe(true)
  await attempt(start)
  expect(await isLost(soon)).toBe(false)
})
