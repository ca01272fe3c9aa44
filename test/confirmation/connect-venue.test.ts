import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { connectionTable, connectVenue, disconnectVenue } from '../../src/commands/connect-venue.ts'
import { venueProgram } from '../../src/commands/venue-program.ts'
import { readConfig } from '../../src/config/config.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { runTyped } from '../support/operator.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'

const config = readConfig({ SECRETS_KEY: newSealingKey() })
const url = 'https://booking.example/network'
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

test('connecting shows the secret once and stores it sealed; disconnecting works', async () => {
  const printed = await connectVenue(db, config, { slug: 'senja-table-ubud', url }, new Date())
  const secret = printed.split('\n').at(-1) ?? ''
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const { rows } = await db.query(
    `select c.secret, v.confirm_mode from connector c join venue v on v.id = c.venue_id`,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0].confirm_mode).toBe('http')
  expect(rows[0].secret).not.toContain(secret.slice(6, 20))
  expect(await connectionTable(db)).toMatch(
    /senja-table-ubud +https:\/\/booking.example\/network +- +not read yet/,
  )
  await disconnectVenue(db, { slug: 'senja-table-ubud', isForced: false }, new Date())
  expect(await connectionTable(db)).toBe('No venue has a booking system of its own.')
})

test('a venue is connected without amendments, and reconnected once it supports them', async () => {
  const args = ['connect', 'senja-table-ubud', '--url', url]
  for (const [option, takes] of [
    [['--no-amend'], false],
    [[], true],
  ] as const) {
    await runTyped(venueProgram, [...args, ...option], { db, config })
    const { rows } = await db.query('select takes_amend from connector')
    expect(rows).toEqual([{ takes_amend: takes }])
  }
  await disconnectVenue(db, { slug: 'senja-table-ubud', isForced: false }, new Date())
})

test.each([
  ['a malformed URL', { url: 'not an address' }, 'The URL is not acceptable'],
  ['a URL with a password', { url: 'https://a:b@booking.example/' }, 'not acceptable'],
  ['a malformed secret', { secret: 'whsec_short' }, '--secret must be whsec_'],
  ['an unknown venue', { slug: 'nowhere' }, 'There is no venue nowhere'],
])('%s is refused with an explanation', async (_, wrong, message) => {
  const asked = { slug: 'senja-table-ubud', url, ...wrong }
  await expect(connectVenue(db, config, asked, new Date())).rejects.toThrow(message)
})

test('a venue with a request in flight stays connected unless forced', async () => {
  const start = await requestDaysAhead(db)
  await connectVenue(db, config, { slug: start.venueSlug, url }, new Date())
  await decideBooking(db, start, stepDeps, new Date())
  const disconnect = (isForced: boolean) =>
    disconnectVenue(db, { slug: start.venueSlug, isForced }, new Date())
  await expect(disconnect(false)).rejects.toThrow('1 booking pending')
  expect(await disconnect(true)).toContain('from now on')
})
