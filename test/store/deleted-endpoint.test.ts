import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { judge } from '../../src/model/verdict.ts'
import { createSealer } from '../../src/outbound/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/outbound/sealing-keys.ts'
import { settleAttempts } from '../../src/store/attempts.ts'
import { openBatch } from '../../src/store/batches.ts'
import { claimDue } from '../../src/store/claims.ts'
import { deleteEndpoint } from '../../src/store/endpoint-states.ts'
import { openPool, type Pool } from '../../src/store/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { deliveriesOf, type MadeEndpoint, makeEndpoint, putEvents } from '../support/endpoints.ts'
import { untilWaiting } from '../support/lock-waits.ts'

const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
const url = 'https://receiver.example/hooks'
const at = new Date()

let database: TestDatabase
let db: Pool
let endpoint: MadeEndpoint

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 3, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})
beforeEach(async () => {
  endpoint = await makeEndpoint(db, sealer, { url, at })
  await putEvents(db, endpoint.accountId, 2, at)
})

const claim = () => {
  const places = { limit: 2, isFifo: false, isProbe: false }
  return claimDue(db, endpoint.endpointId, { at, wall: at }, places)
}
const settleAll = (status: number, claims: Awaited<ReturnType<typeof claim>>) => {
  const settled = claims.map(({ attemptId, tries, giveUpAt }) => ({
    attemptId,
    ms: 5,
    httpStatus: status,
    answer: null,
    verdict: judge({ status, retryAfterMs: null }, { tries, giveUpAt }, at, 0),
  }))
  return settleAttempts(db, endpoint.endpointId, settled, at)
}
const attempts = async () => {
  const { rows } = await db.query(
    'select status, next_at, next_rule from attempt where endpoint_id = $1',
    [endpoint.endpointId],
  )
  return rows
}
const over = { next_at: null, next_rule: null }

test('what fails while its endpoint is deleted is discarded; what arrives has arrived', async () => {
  const [first, second] = await claim()
  if (!first || !second) throw new Error('two were due')
  await deleteEndpoint(db, endpoint.endpointId, at)
  await settleAll(500, [first])
  await settleAll(204, [second])
  expect(await deliveriesOf(db, endpoint)).toEqual({ discarded: 1, delivered: 1 })
  const settled = await attempts()
  expect(settled).toContainEqual({ status: 'failed', ...over })
})

test('what a crash left open is discarded when its endpoint is deleted', async () => {
  await claim()
  await deleteEndpoint(db, endpoint.endpointId, at)
  expect(await openBatch(db, endpoint.endpointId, at)).toBeUndefined()
  expect(await deliveriesOf(db, endpoint)).toEqual({ discarded: 2 })
  expect(await attempts()).toEqual([
    { status: 'unknown', ...over },
    { status: 'unknown', ...over },
  ])
})

test.each<[string, (claims: Awaited<ReturnType<typeof claim>>) => Promise<unknown>]>([
  ['settles', (claims) => settleAll(500, claims)],
  ['recovers', () => openBatch(db, endpoint.endpointId, at)],
])('who %s while the endpoint is being deleted sees that', async (_, act) => {
  const claims = await claim()
  const deleting = await db.connect()
  try {
    await deleting.query('begin')
    await deleteEndpoint(deleting, endpoint.endpointId, at)
    const acting = act(claims)
    await untilWaiting(db, 1)
    await deleting.query('commit')
    await acting
  } finally {
    deleting.release()
  }
  expect(await deliveriesOf(db, endpoint)).toEqual({ discarded: 2 })
})
