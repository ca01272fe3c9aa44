import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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

const run = (signal: AbortSignal, send: Outbound['send']) => {
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
  return mirrorAvailability(deps, new Date(), signal)
}

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

test('an aborted run leaves the unread venues to the next run, which reads them all', async () => {
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
  const again = () => run(new AbortController().signal, () => Promise.reject(unreachable))
  const unreachable = new OutboundError('connect')
  expect((await again()).failed).toBe(VENUES - 20)
  expect(await readVenues()).toBe(VENUES)
  expect((await again()).failed).toBe(0)
})
