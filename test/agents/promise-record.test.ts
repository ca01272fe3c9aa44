import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPromiseRecord } from '../../src/agents/operations/promise-record.ts'
import { type PromiseName, promises } from '../../src/agents/rules/promises.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { openBooking } from '../../src/bookings/steps/open-booking.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { confirmedByVenue, connectAll, later, say } from '../support/confirming-venue.ts'
import { createSharedDatabase } from '../support/database.ts'
import { makeEndpoint } from '../support/endpoints.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { storeSender } from '../support/sender-store.ts'
import { stepDeps } from '../support/terms.ts'

let shared: Awaited<ReturnType<typeof createSharedDatabase>>
let db: Pool
beforeAll(async () => {
  shared = await createSharedDatabase(1)
  db = shared.pools[0] as Pool
})
afterAll(() => shared?.close())

/** A promise's counts at a given time, minus those from other tests. */
async function counted(promise: PromiseName, at: Date, before = { made: 0, broken: 0 }) {
  const record = await readPromiseRecord(db, at)
  const one = record.find((found) => found.promise === promise)
  if (!one) throw new Error(`no ${promise}`)
  expect(one.kept).toBe(one.made - one.broken)
  return { made: one.made - before.made, broken: one.broken - before.broken }
}

describe('an answer', () => {
  test.each([
    ['in time keeps the promise', 2, 60, 0],
    ['that came late breaks it', 45, 60, 1],
    ['that never came breaks it after 30 s', null, 40, 1],
  ])('%s', async (_, decidedAfter, readAfter, broken) => {
    const at = new Date()
    const before = await counted('answer', later(at, readAfter))
    const start = await requestDaysAhead(db, { at })
    if (decidedAfter !== null) await decideBooking(db, start, stepDeps, later(at, decidedAfter))
    expect(await counted('answer', later(at, readAfter), before)).toEqual({ made: 1, broken })
  })

  test('that is not yet due is not counted', async () => {
    const at = new Date()
    const before = await counted('answer', later(at, 29))
    await requestDaysAhead(db, { at })
    expect(await counted('answer', later(at, 29), before)).toEqual({ made: 0, broken: 0 })
  })

  test('to a hold is the hold itself', async () => {
    const at = new Date()
    const before = await counted('answer', later(at, 120))
    const start = await requestDaysAhead(db, { purpose: 'hold', at })
    await openBooking(db, start, at)
    expect(await counted('answer', later(at, 120), before)).toEqual({ made: 1, broken: 0 })
  })

  test('from a venue can take as long as the venue has, plus a minute', async () => {
    await connectAll(db)
    const at = new Date()
    const [inTime, late] = [later(at, 15 * 60 + 59), later(at, 15 * 60 + 90)]
    const [before, beforeLate] = [await counted('answer', inTime), await counted('answer', late)]
    const start = await requestDaysAhead(db, { at })
    await decideBooking(db, start, stepDeps, at)
    expect(await counted('answer', inTime, before)).toEqual({ made: 1, broken: 0 })
    expect(await counted('answer', late, beforeLate)).toEqual({ made: 1, broken: 1 })
  })
})

describe('a venue that cancels', () => {
  test('is compensated for with alternatives', async () => {
    const { start, at } = await confirmedByVenue(db)
    const before = await counted('recovery', later(at, 100))
    await say(db, start, 'cancelled', later(at, 10), 3)
    await applyVenueResponses(db, start, stepDeps, later(at, 12))
    expect(await counted('recovery', later(at, 100), before)).toEqual({ made: 1, broken: 0 })
  })

  test('and is not processed within a minute breaks the promise', async () => {
    const { start, at } = await confirmedByVenue(db)
    const before = await counted('recovery', later(at, 80))
    await say(db, start, 'cancelled', later(at, 10), 3)
    expect(await counted('recovery', later(at, 69), before)).toEqual({ made: 1, broken: 0 })
    expect(await counted('recovery', later(at, 80), before)).toEqual({ made: 1, broken: 1 })
  })
})

describe('an event', () => {
  test.each([
    ['that is sent at once keeps the promise', 0, {}, 300, { made: 1, broken: 0 }],
    ['that nobody sends breaks it', null, {}, 130, { made: 1, broken: 1 }],
    ['that was sent too late breaks it', 200, {}, 210, { made: 1, broken: 1 }],
    ['at an endpoint with a rate limit is not counted', null, { ratePerSecond: 1 }, 300, {}],
  ])('%s', async (_, sentAfter, options, readAfter, counts) => {
    const at = new Date()
    const sender = storeSender(db, () => ({ status: 200 }))
    const before = await counted('webhook', later(at, readAfter))
    const start = await requestDaysAhead(db, { at })
    const endpoint = await makeEndpoint(db, sender.sealer, {
      ...{ accountId: start.accountId, url: 'https://agent.example/' },
      ...{ eventTypes: ['booking.confirmed', 'booking.pending'], at: later(at, -3_600) },
      ...options,
    })
    await decideBooking(db, start, stepDeps, at)
    if (sentAfter !== null) {
      await sender.batch(endpoint)
      await db.query('update attempt set started_at = $2 where endpoint_id = $1', [
        ...[endpoint.endpointId, later(at, sentAfter)],
      ])
    }
    const expected = { made: 0, broken: 0, ...counts }
    expect(await counted('webhook', later(at, readAfter), before)).toEqual(expected)
  })
})

test('a slot that was sold twice is found, should the constraint ever be missing', async () => {
  await db.query(`update venue set confirm_mode = 'auto'`)
  const at = new Date()
  const before = await counted('one_sale', later(at, 2))
  const start = await requestDaysAhead(db, { at })
  await decideBooking(db, start, stepDeps, at)
  const other = await requestDaysAhead(db, { at })
  await decideBooking(db, other, stepDeps, at)
  expect(await counted('one_sale', later(at, 2), before)).toEqual({ made: 2, broken: 0 })
  await db.query(`alter table allocation drop constraint allocation_no_overlap`)
  await db.query(
    `update allocation a set resource_id = o.resource_id, during = o.during
     from allocation o where a.booking_id = $1 and o.booking_id = $2`,
    [other.bookingId, start.bookingId],
  )
  expect(await counted('one_sale', later(at, 2), before)).toEqual({ made: 2, broken: 1 })
})

test('the guide contains each promise word for word', () => {
  const file = `${import.meta.dirname}/../../docs/guides/guarantees.md`
  const guide = readFileSync(file, 'utf8')
  for (const { title, text } of Object.values(promises)) {
    expect(guide).toContain(`| ${title} | ${text}`)
  }
})
