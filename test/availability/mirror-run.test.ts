import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Shard } from '../../src/base/shards.ts'
import { mirrorAvailability } from '../../src/confirmation/steps/mirror-availability.ts'
import { connectorContext, upsertConnector } from '../../src/confirmation/store/connectors.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import type { Outbound } from '../../src/platform/http/client.ts'
import { OutboundError } from '../../src/platform/http/failure.ts'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { readableLog } from '../support/lines.ts'
import { testVenues } from '../support/no-test-venues.ts'

const VENUES = 60
const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
})

afterAll(async () => {
  await db?.end()
  await database?.drop()
})

beforeEach(async () => {
  const { rows } = await db.query('select id from venue order by slug limit $1', [VENUES])
  for (const { id: venueId } of rows) {
    const secret = sealer.seal(newSigningSecret(), connectorContext(venueId))
    await upsertConnector(db, { venueId, url: 'https://venue.example/', secret }, new Date())
  }
})

const run = (signal: AbortSignal, send: Outbound['send'], shard?: Shard) => {
  const outbound = { send, close: async () => {} }
  const { log } = readableLog()
  const deps = {
    db,
    sealer,
    log,
    outbound,
    publicUrl: 'https://n.example',
    count: () => {},
    testVenues,
  }
  return mirrorAvailability(deps, new Date(), signal, shard)
}

const unreachable = () => new OutboundError('connect')

const readVenues = async () => {
  const { rows } = await db.query('select count(read_at)::int as count from connector')
  return rows[0].count
}

test('a venue whose secret cannot be opened does not stop the others from being read', async () => {
  await db.query(
    `update connector set secret = 'not sealed'
     where venue_id in (select venue_id from connector order by venue_id limit 30)`,
  )
  let calls = 0
  const result = await run(new AbortController().signal, async () => {
    calls += 1
    throw new OutboundError('connect')
  })
  expect(calls).toBe(VENUES - 30)
  expect(result).toMatchObject({ read: 0, failed: VENUES })
})

test('a venue whose row cannot be written does not stop the others from being read', async () => {
  const { rows: damaged } = await db.query('select venue_id from connector limit 1')
  await db.query(
    `create function refuse_write() returns trigger language plpgsql as
       'begin raise exception ''a damaged row''; end';
     create trigger refuse_write before update of failure on connector for each row
       when (new.venue_id = '${damaged[0].venue_id}') execute function refuse_write()`,
  )
  const result = await run(new AbortController().signal, async () => {
    throw new OutboundError('connect')
  })
  await db.query('drop trigger refuse_write on connector; drop function refuse_write')
  expect(result).toMatchObject({ read: 0, failed: VENUES })
  const { rows } = await db.query(
    'select count(*)::int as count from connector where failure is not null',
  )
  expect(rows[0].count).toBe(VENUES - 1)
})

test('an aborted run leaves the unread venues to the next', async () => {
  const cancelled = new AbortController()
  let calls = 0
  await run(cancelled.signal, ({ signal }) => {
    calls += 1
    if (calls === 20) setImmediate(() => cancelled.abort())
    return new Promise((_, fail) => {
      signal?.addEventListener('abort', () => fail(new OutboundError('aborted')))
    })
  })
  expect(calls).toBe(20)
  expect(await readVenues()).toBe(20)
})

test('shards together read every venue, and none reads another’s venue', async () => {
  const read: string[][] = []
  for (const shard of [
    { index: 0, count: 2 },
    { index: 1, count: 2 },
  ]) {
    await db.query('update connector set read_at = null')
    await run(new AbortController().signal, () => Promise.reject(unreachable()), shard)
    const { rows } = await db.query(
      'select venue_id from connector where read_at is not null order by venue_id',
    )
    read.push(rows.map(({ venue_id }) => venue_id))
  }
  const [one = [], two = []] = read
  expect(one.length).toBeGreaterThan(0)
  expect(two.length).toBeGreaterThan(0)
  expect(new Set([...one, ...two]).size).toBe(VENUES)
  expect(one.length + two.length).toBe(VENUES)
})

test('another number of shards reads what was left unread, and nothing twice', async () => {
  const none = new AbortController().signal
  const read = async (index: number, count: number) =>
    (await run(none, () => Promise.reject(unreachable()), { index, count })).failed
  const first = await read(0, 2)
  expect(await read(0, 2)).toBe(0)
  const left = [await read(0, 3), await read(1, 3), await read(2, 3)]
  expect(first + left.reduce((sum, count) => sum + count, 0)).toBe(VENUES)
  expect(await readVenues()).toBe(VENUES)
})
