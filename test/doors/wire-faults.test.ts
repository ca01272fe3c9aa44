import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPool } from '../../src/platform/database/sql.ts'
import { bearer, type Doors, openDoors } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'
import { openDatabaseProxy, type TcpProxy } from '../support/tcp-proxy.ts'

let doors: Doors
let proxy: TcpProxy
let databaseUrl: string

beforeAll(async () => {
  const reach = async (url: string) => {
    databaseUrl = url
    const behind = await openDatabaseProxy(url)
    proxy = behind
    return behind.url
  }
  doors = await openDoors({}, reach, undefined, { statementMs: 3_000, patienceMs: 4_000 })
})

beforeEach(() => proxy.thaw())

afterAll(async () => {
  await doors?.close()
  await proxy?.close()
})

const ROUNDS = 300

const get = (path: string, key: string) => fetch(doors.url + path, { headers: bearer(key) })
const statusOf = async (path: string, key: string) => (await get(path, key)).status

/** A pro account whose key the process has cached. */
async function openKnownAccount() {
  const holder = await doors.openAccount('pro')
  for (let call = 0; call < 2; call += 1) {
    await eventually('the key to work', async () => {
      return (await statusOf('/api/ping', holder.key)) === 200
    })
  }
  return holder
}

const isReady = async () => (await fetch(`${doors.url}/readyz`)).status === 200

/** Expects 503 with the number of seconds to wait before retrying. */
function expectUnavailable({ status, headers }: Response) {
  expect(status).toBe(503)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

test('calls are 503 while PostgreSQL is silent; then every key works again', async () => {
  const keys = await Promise.all(
    Array.from({ length: 4 }, async () => (await openKnownAccount()).key),
  )
  const unknown = `service_live_${'x'.repeat(43)}`
  await eventually('readiness', isReady)
  proxy.freeze()
  const calls = [...keys, unknown, ...keys, unknown].map((key) => get('/api/ping', key))
  await eventually('the process not to be ready', async () => !(await isReady()))
  for (const answer of await Promise.all(calls)) expectUnavailable(answer)

  proxy.thaw()
  for (const key of keys) {
    await eventually('each key to work', async () => (await statusOf('/api/ping', key)) === 200)
  }
  await eventually('401', async () => (await statusOf('/api/ping', unknown)) === 401)
  await eventually('readiness', isReady)
})

test('one connection that does not answer delays nobody for long', async () => {
  const { key } = await openKnownAccount()
  // Only the statement that counts a key's calls has the date as a value: ten bytes.
  const text = `\0\0\0\n${new Date().toISOString().slice(0, 10)}`
  const reached = proxy.freezeOneAt({ direction: 'request', text, occurrence: 1 })
  const stuck = get('/api/ping', key)
  await reached
  const later = await Promise.all(Array.from({ length: 5 }, () => statusOf('/api/ping', key)))
  expect(later).toEqual([200, 200, 200, 200, 200])
  expectUnavailable(await stuck)
  await eventually('readiness', isReady)
})

test('calls whose connections an administrator ends are 503 with a retry time', async () => {
  const { key } = await openKnownAccount()
  const { body } = await firstVenue(key)
  const admin = openPool(databaseUrl, 1, () => {})
  const endSessions = () =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
  let ended = 0
  const ending = async () => {
    for (; ended < ROUNDS; ended += 1) await endSessions()
  }
  const answers: Response[] = []
  const calling = async (caller: number) => {
    for (let call = 0; ended < ROUNDS; call += 1) {
      answers.push(await watch(key, { ...body, party_size: 2 }, `${caller}-${call}`))
    }
  }
  await Promise.all([ending(), ...Array.from({ length: 10 }, (_, caller) => calling(caller))])
  await admin.end()
  const failed = answers.filter(({ status }) => status >= 500)
  expect(failed.length).toBeGreaterThan(0)
  for (const answer of failed) expectUnavailable(answer)
})

async function firstVenue(key: string) {
  const answer = await get('/api/venues?limit=1&detail=full', key)
  const { venues } = (await answer.json()) as any
  const [{ id, availability }] = venues
  return { body: { venue_id: id, slot_time: availability.slots[0].slot_time } }
}

const watch = (key: string, body: object, idempotencyKey: string) =>
  fetch(`${doors.url}/api/watches`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
      ...bearer(key),
    },
    body: JSON.stringify(body),
  })
