import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { findOften, foundFor, later, once } from '../support/breaches.ts'
import { confirmedByVenue, connectAll, say } from '../support/confirming-venue.ts'
import { createSharedDatabase } from '../support/database.ts'
import { stepDeps } from '../support/terms.ts'

let shared: Awaited<ReturnType<typeof createSharedDatabase>>
let db: Pool
beforeAll(async () => {
  shared = await createSharedDatabase(3)
  db = shared.pools[0] as Pool
  await connectAll(db)
})
afterAll(() => shared?.close())

/** Nothing can be booked anywhere any more. */
const shutAll = (db: Pool) =>
  db.query(
    `with shut as (
       insert into offering_rules (offering_id, version, rules, created_at)
       select r.offering_id, r.version + 1, r.rules || '{"windows": []}', now()
       from offering o join offering_rules r on r.offering_id = o.id and r.version = o.rule_version
       returning offering_id, version)
     update offering o set rule_version = shut.version from shut where o.id = shut.offering_id`,
  )

test('a venue that cancels with nothing else to book is a breach', async () => {
  const { start, at } = await confirmedByVenue(db)
  await shutAll(db)
  await say(db, start, 'cancelled', later(at, 10), 3)
  await applyVenueResponses(db, start, stepDeps, later(at, 12))
  await findOften(shared.pools, later(at, 30))
  const why = 'The venue cancelled the booking, and no alternative was found.'
  expect(await foundFor(db, start)).toEqual(once('recovery', why, 500))
})
