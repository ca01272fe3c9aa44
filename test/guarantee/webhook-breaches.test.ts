import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { findOften, foundFor, kept, later, once } from '../support/breaches.ts'
import { createSharedDatabase } from '../support/database.ts'
import { type EndpointOptions, makeEndpoint } from '../support/endpoints.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { storeSender } from '../support/sender-store.ts'
import { stepDeps } from '../support/terms.ts'

let shared: Awaited<ReturnType<typeof createSharedDatabase>>
let db: Pool
let sender: ReturnType<typeof storeSender>

beforeAll(async () => {
  shared = await createSharedDatabase(3)
  db = shared.pools[0] as Pool
  sender = storeSender(db, () => ({ status: 200 }))
  await db.query('update venue set is_demo = false')
})
afterAll(() => shared?.close())

const find = (at: Date) => findOften(shared.pools, at)

/** A confirmed booking, with its event for an endpoint that has been there for an hour. */
async function bookedWithEndpoint(options: Partial<EndpointOptions> = {}) {
  const at = new Date()
  const start = await requestDaysAhead(db, { at })
  const { accountId } = start
  const wish = { accountId, url: 'https://agent.example/', eventTypes: ['booking.confirmed'] }
  const endpoint = await makeEndpoint(db, sender.sealer, {
    ...{ ...wish, at: later(at, -3_600) },
    ...options,
  })
  await decideBooking(db, start, stepDeps, at)
  return { at, start, endpoint }
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
