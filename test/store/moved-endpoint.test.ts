import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/store/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { type EndpointWish, makeEndpoint, putEvents } from '../support/endpoints.ts'
import { type FarAnswer, moveEndpoint, storeSender } from '../support/sender-store.ts'

const OLD = 'https://old.example/hooks'
const NEW = 'https://new.example/hooks'

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

/** An endpoint with events that moves while the first request to its old address is under way; the new one answers 204. */
async function given(
  old: FarAnswer,
  { count = 1, ...wish }: Partial<EndpointWish> & { count?: number } = {},
) {
  const moved = { url: NEW, headers: { 'x-token': 'new' } }
  const sender = storeSender(db, async ({ url }) => {
    if (url !== OLD) return { status: 204 }
    if (sender.requests.length === 1) await moveEndpoint(db, sender.sealer, endpoint, moved)
    return old
  })
  const headers = { 'x-token': 'old' }
  const endpoint = await makeEndpoint(db, sender.sealer, { url: OLD, headers, ...wish })
  await putEvents(db, endpoint.accountId, count)
  return { sender, endpoint }
}

test('a batch that goes on at the new address of an endpoint sends the headers that belong to it', async () => {
  const { sender, endpoint } = await given({ status: 204 }, { isFifo: true, count: 2 })
  await sender.batch(endpoint)
  expect(sender.requests).toMatchObject([
    { url: OLD, headers: { 'x-token': 'old' } },
    { url: NEW, headers: { 'x-token': 'new' } },
  ])
})
