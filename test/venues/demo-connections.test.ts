import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectDemoVenues } from '../../src/confirmation/steps/connect-demo-venues.ts'
import {
  connectorContext,
  selectConnectors,
  selectOptionalConnector,
  upsertConnector,
} from '../../src/confirmation/store/connectors.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { staffDemoVenues } from '../../src/venues/demo/load.ts'
import { selectDemoVenues } from '../../src/venues/store/demo-venues.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
let database: TestDatabase
let db: Pool

beforeEach(async () => {
  database = await createDatabase()
  db = openPool(database.url, 2, () => {})
})

afterEach(async () => {
  await db?.end()
  await database?.drop()
})

const start = (port: number, secret = newSigningSecret()) =>
  connectDemoVenues(db, sealer, { url: `http://127.0.0.1:${port}`, secret }, new Date())

test('each start of the simulator connects one in ten demo venues to its address', async () => {
  await start(4700)
  const secret = newSigningSecret()
  const count = await start(4701, secret)
  const connectors = await selectConnectors(db)
  expect(connectors).toHaveLength(count)
  for (const { slug, url } of connectors) expect(url).toBe(`http://127.0.0.1:4701/venues/${slug}`)
  const [venue] = await selectDemoVenues(db, 10)
  const known = venue && (await selectOptionalConnector(db, venue.id))
  expect(sealer.open(known?.secret ?? '', connectorContext(venue?.id ?? ''))).toBe(secret)
})

test('a demo venue that the operator connected elsewhere stays there', async () => {
  const [venue] = await selectDemoVenues(db, 10)
  const venueId = venue?.id ?? ''
  const secret = sealer.seal(newSigningSecret(), connectorContext(venueId))
  await upsertConnector(db, { venueId, url: 'https://booking.example/', secret }, new Date())
  await start(4700)
  expect(await selectOptionalConnector(db, venueId)).toMatchObject({
    url: 'https://booking.example/',
    secret,
  })
})

test('staff confirm at one in twelve demo venues, none of which is connected', async () => {
  await start(4700)
  const [staffed] = await staffDemoVenues(db)
  await staffDemoVenues(db)
  const { rows } = await db.query(
    `select confirm_mode, count(*)::int as venues from venue group by 1 order by 1`,
  )
  const count = (mode: string) => rows.find((row) => row.confirm_mode === mode)?.venues
  expect(count('request')).toBe((await selectDemoVenues(db, 12, 5)).length)
  expect(count('http')).toBe((await selectDemoVenues(db, 10)).length)
  const first = await db.query('select confirm_mode from venue where id = $1', [staffed?.id])
  expect(first.rows).toEqual([{ confirm_mode: 'request' }])
})
