import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool, transaction } from '../../src/platform/database/sql.ts'
import type { OutboundRequest } from '../../src/platform/http/client.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { retryDelivery } from '../../src/webhooks/sender/retry-delivery.ts'
import { pauseEndpoint, requireProof } from '../../src/webhooks/store/endpoint-states.ts'
import { headersContext } from '../../src/webhooks/store/endpoints.ts'
import { deleteSigningKeys } from '../../src/webhooks/store/signing-keys.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { makeEndpoint, putEvent } from '../support/endpoints.ts'
import { readableLog } from '../support/lines.ts'
import { untilWaiting } from '../support/lock-waits.ts'

const NEW_URL = 'https://elsewhere.example/hooks'
const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])

let database: TestDatabase
let db: Pool
let requests: OutboundRequest[]

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

/** An endpoint with one delivery, and a way to retry it. */
async function given() {
  requests = []
  const headers = { 'x-token': 'old' }
  const made = await makeEndpoint(db, sealer, { url: 'https://agent.example/hooks', headers })
  await putEvent(db, made.accountId)
  const { endpointId: id } = made
  const { rows } = await db.query('select id from delivery where endpoint_id = $1', [id])
  const outbound = {
    send: async (request: OutboundRequest) => {
      requests.push(request)
      return { status: 204, headers: {}, body: Buffer.from(''), truncated: false, ms: 1 }
    },
  } as never
  const deps = { db, sealer, outbound, log: readableLog().log, count: () => {}, heldDays: 30 }
  const order = { id: rows[0].id, at: Date.now() }
  const retry = () => retryDelivery(deps, made, order, new AbortController().signal)
  return { id, retry }
}

const move = (tx: Parameters<typeof requireProof>[0], id: string) =>
  tx.query('update endpoint set url = $2, headers = $3 where id = $1', [
    id,
    NEW_URL,
    sealer.seal('{"x-token":"new"}', headersContext(id)),
  ])

test('a retry during a URL change sends nothing to the unverified URL', async () => {
  const { id, retry } = await given()
  let retried: ReturnType<typeof retry> | undefined
  await transaction(db, async (tx) => {
    await move(tx, id)
    await requireProof(tx, id, 'challenge')
    retried = retry()
    await untilWaiting(db, 1)
  })
  expect(await retried).toEqual({ refused: 'unproved' })
  expect(requests).toEqual([])
  const { rows } = await db.query(
    'select sequence, attempts from delivery where endpoint_id = $1',
    [id],
  )
  expect(rows).toEqual([{ sequence: null, attempts: 0 }])
})

test('a retry sends the headers that belong to its URL', async () => {
  const { id, retry } = await given()
  let retried: ReturnType<typeof retry> | undefined
  await transaction(db, async (tx) => {
    await move(tx, id)
    retried = retry()
    await untilWaiting(db, 1)
  })
  expect(await retried).toMatchObject({ status: 'succeeded' })
  expect(requests).toMatchObject([{ url: NEW_URL, headers: { 'x-token': 'new' } }])
})

test('a retry that sends nothing says why', async () => {
  const { id, retry } = await given()
  await pauseEndpoint(db, id, new Date())
  await db.query(`update delivery set status = 'sending', due_at = null where endpoint_id = $1`, [
    id,
  ])
  expect(await retry()).toEqual({ refused: 'busy' })
  await deleteSigningKeys(db, id)
  expect(await retry()).toEqual({ refused: 'no_secret' })
  await db.query('update endpoint set deleted_at = now() where id = $1', [id])
  expect(await retry()).toEqual({ refused: 'deleted' })
  expect(requests).toEqual([])
})
