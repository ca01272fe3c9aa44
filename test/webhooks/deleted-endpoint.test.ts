import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPool, type Pool, transaction } from '../../src/platform/database/sql.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { judge } from '../../src/webhooks/rules/verdict.ts'
import { settleAttempts } from '../../src/webhooks/store/attempts.ts'
import { openBatch } from '../../src/webhooks/store/batches.ts'
import { claimDue, type DeliveryClaim } from '../../src/webhooks/store/claims.ts'
import { deleteEndpoint } from '../../src/webhooks/store/endpoint-states.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { deliveriesOf, makeEndpoint, putEvents } from '../support/endpoints.ts'
import { untilWaiting } from '../support/lock-waits.ts'

const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])

let database: TestDatabase
let db: Pool
let endpointId: string
let claims: DeliveryClaim[]

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

/** An endpoint with two requests in flight. */
beforeEach(async () => {
  const made = await makeEndpoint(db, sealer, { url: 'https://agent.example/hooks' })
  endpointId = made.endpointId
  await putEvents(db, made.accountId, 2)
  const time = { at: new Date(), present: new Date(), wall: new Date() }
  const limits = { limit: 9, isFifo: false, isProbe: false }
  claims = (await claimDue(db, endpointId, time, limits)).claims
  expect(claims).toHaveLength(2)
})

const settled = (claim: DeliveryClaim, status: number) => {
  const outcome = { status, retryAfterMs: null }
  const verdict = judge(outcome, claim, new Date(), 0)
  return { id: claim.attempt_id, exchange: { outcome, response: null, ms: 1 }, verdict }
}

/** Deletes the endpoint while `work` runs. */
async function deleteDuring(work: () => Promise<unknown>) {
  let working: Promise<unknown> | undefined
  await transaction(db, async (tx) => {
    await deleteEndpoint(tx, endpointId, new Date())
    working = work()
    await untilWaiting(db, 1)
  })
  await working
}

test('a request in flight during deletion may succeed but is not retried or held', async () => {
  const [failed, arrived] = claims as [DeliveryClaim, DeliveryClaim]
  await deleteDuring(() =>
    settleAttempts(db, endpointId, [settled(failed, 500), settled(arrived, 204)], new Date()),
  )
  expect(await deliveriesOf(db, { endpointId })).toEqual({ discarded: 1, delivered: 1 })
  const { rows } = await db.query(
    'select status, next_at, next_rule from attempt where delivery_id = $1',
    [failed.delivery_id],
  )
  expect(rows).toEqual([{ status: 'failed', next_at: null, next_rule: null }])
})

test('deliveries left in flight by a crash are discarded with their endpoint', async () => {
  await deleteDuring(() => openBatch(db, endpointId, new Date()))
  expect(await deliveriesOf(db, { endpointId })).toEqual({ discarded: 2 })
})
