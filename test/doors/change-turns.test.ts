import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { bearer, type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let watcher: Pool

beforeAll(async () => {
  doors = await openDoors()
  watcher = openPool(doors.db.options.connectionString ?? '', 2, () => {})
})
afterAll(async () => {
  await watcher?.end()
  await doors?.close()
})

test.each([
  ['endpoints', '/api/webhooks', (n: number) => ({ url: `https://hooks.example/${n}` })],
  ['agents', '/api/agents', (n: number) => ({ name: `eager-${n}`, description: 'Books' })],
])('one account that creates many %s leaves connections to the others', async (_, path, body) => {
  const eager = await doors.openAccount('pro')
  const other = await doors.openAccount('pro')
  const blocker = await watcher.connect()
  await blocker.query('begin')
  await blocker.query('select from account where id = $1 for no key update', [eager.accountId])
  const calls = Array.from({ length: 10 }, async (__, n) => {
    const headers = { ...bearer(eager.key), 'content-type': 'application/json' }
    const options = { method: 'POST', headers, body: JSON.stringify(body(n)) }
    return (await fetch(doors.url + path, options)).status
  })
  await untilWaiting(watcher, 2)
  for (let n = 0; n < 20; n += 1) {
    const { status } = await fetch(`${doors.url}/api/ping`, { headers: bearer(other.key) })
    expect(status).toBe(200)
  }
  await untilWaiting(watcher, 2)
  await blocker.query('rollback')
  blocker.release()
  expect(await Promise.all(calls)).toEqual(Array(10).fill(201))
})
