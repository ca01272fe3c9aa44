import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { retryDelivery } from '../../src/webhooks/sender/retry-delivery.ts'
import { findOften, foundFor, kept, later, once } from '../support/breaches.ts'
import { createSharedDatabase } from '../support/database.ts'
import {
  type EndpointOptions,
  insertTestEvent,
  type MadeEndpoint,
  makeEndpoint,
} from '../support/endpoints.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { type EndpointAnswer, storeSender } from '../support/sender-store.ts'
import { stepDeps } from '../support/terms.ts'

let shared: Awaited<ReturnType<typeof createSharedDatabase>>
let db: Pool
let sender: ReturnType<typeof storeSender>
const ok = { status: 200 }
let answer: EndpointAnswer = ok

beforeAll(async () => {
  shared = await createSharedDatabase(3)
  db = shared.pools[0] as Pool
  sender = storeSender(db, () => answer)
  await db.query('update venue set is_demo = false')
})
afterAll(() => shared?.close())

const find = (at: Date) => findOften(shared.pools, at)

/** A confirmed booking, with its event for an endpoint that has been there for an hour. */
async function bookedWithEndpoint(
  options: Partial<EndpointOptions> = {},
  before = async (_: MadeEndpoint) => {},
) {
  const at = new Date()
  const start = await requestDaysAhead(db, { at })
  const { accountId } = start
  const wish = { accountId, url: 'https://agent.example/', eventTypes: ['booking.confirmed'] }
  const endpoint = await makeEndpoint(db, sender.sealer, {
    ...{ ...wish, at: later(at, -3_600) },
    ...options,
  })
  await before(endpoint)
  await decideBooking(db, start, stepDeps, at)
  return { at, start, endpoint }
}

/** 7 minutes ago the receiver asked for a pause and then took a retry that the owner asked for. */
async function pausedAndRetried(endpoint: MadeEndpoint, seconds: string) {
  await insertTestEvent(db, { ...endpoint, note: null, at: new Date() })
  answer = { status: 429, headers: { 'retry-after': seconds } }
  await sender.batch(endpoint)
  answer = ok
  const ofEndpoint = [endpoint.endpointId]
  const { rows } = await db.query('select id from delivery where endpoint_id = $1', ofEndpoint)
  const retry = { deliveryId: rows[0].id, at: Date.now() }
  const retried = await retryDelivery(sender.deps, endpoint, retry, new AbortController().signal)
  expect(retried).toMatchObject({ status: 'succeeded' })
  const ago = `- interval '7 minutes'`
  await db.query(
    `update attempt set started_at = started_at ${ago}, next_at = next_at ${ago}
     where endpoint_id = $1`,
    ofEndpoint,
  )
  await db.query(`update endpoint set wait_until = wait_until ${ago} where id = $1`, ofEndpoint)
}

describe('an event', () => {
  test('that is sent at once breaks nothing', async () => {
    const { at, start, endpoint } = await bookedWithEndpoint()
    await sender.batch(endpoint)
    await find(later(at, 300))
    expect(await foundFor(db, start)).toEqual(kept)
  })

  test('that nobody sends is credited once, and once sent it is the same breach', async () => {
    const { at, start, endpoint } = await bookedWithEndpoint()
    await find(later(at, 119))
    expect(await foundFor(db, start)).toEqual(kept)
    await find(later(at, 130))
    const breach = once('webhook', 'An event was not sent for 130 s.', 10)
    expect(await foundFor(db, start)).toEqual(breach)
    await sender.batch(endpoint, { at: later(at, 140).getTime() })
    await find(later(at, 150))
    expect(await foundFor(db, start)).toEqual(breach)
  })

  test('that was sent too late is found afterwards', async () => {
    const { at, start, endpoint } = await bookedWithEndpoint()
    await sender.batch(endpoint)
    await db.query(`update attempt set started_at = $2 where endpoint_id = $1`, [
      endpoint.endpointId,
      later(at, 200),
    ])
    await find(later(at, 210))
    const { rows } = await foundFor(db, start)
    expect(rows).toMatchObject([{ why: 'An event was first sent after 200 s.' }])
  })

  test.each([
    ['10 minutes, in spite of a success meanwhile, breaks nothing', '600', []],
    ['one minute that was over is found', '60', [{ why: 'An event was first sent after 185 s.' }]],
  ])('that was sent late after a requested pause of %s', async (_, seconds, found) => {
    const { at, start, endpoint } = await bookedWithEndpoint({}, (endpoint) =>
      pausedAndRetried(endpoint, seconds),
    )
    await sender.batch(endpoint, { at: later(at, 185).getTime() })
    await find(later(at, 190))
    const { rows } = await foundFor(db, start)
    expect(rows).toMatchObject(found)
  })

  test.each([
    ['a rate limit', { ratePerSecond: 1 }, ''],
    ['a failing endpoint', {}, 'failing_since = now()'],
    ['a paused endpoint', {}, `status = 'paused'`],
  ])('that waits for %s is listed as waiting, and breaks nothing', async (_, options, change) => {
    const { at, start, endpoint } = await bookedWithEndpoint(options)
    if (change) {
      await db.query(`update endpoint set ${change} where id = $1`, [endpoint.endpointId])
    }
    await find(later(at, 300))
    expect(await foundFor(db, start)).toEqual(kept)
    const { rows } = await db.query(`select status from delivery where account_id = $1`, [
      start.accountId,
    ])
    expect(rows).toEqual([{ status: 'pending' }])
  })
})
