import { afterEach, describe, expect, test } from 'vitest'
import { readNetworkStatus } from '../../src/agents/operations/network-status.ts'
import { promises } from '../../src/agents/rules/promises.ts'
import { insertBareBooking } from '../support/bare-booking.ts'
import { type Doors, jsonOf, openDoors } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'

let doors: Doors | undefined
afterEach(() => doors?.close())

const json = { accept: 'application/json' }
const partOf = (status: { parts: readonly { name: string; state: string }[] }, name: string) =>
  status.parts.find((part) => part.name === name)?.state
/** The status once every part has answered or its 2 s are over. */
const statusOf = (from: Doors) =>
  eventually('every part to answer', async () => {
    const status = await readNetworkStatus(from, new Date())
    return !status.parts.some(({ detail }) => detail?.startsWith('No response')) && status
  })
const queue = {
  name: 'bookings',
  kind: 'workflow' as const,
  backlog: 0,
  oldestSeconds: 0,
  workers: 1,
}

describe('the status', () => {
  test('is a page for people and JSON for programs', async () => {
    doors = await openDoors()
    const page = await fetch(`${doors.url}/status`, { headers: { accept: 'text/html' } })
    const text = await page.text()
    expect(text).toContain('Booking engine')
    for (const { title } of Object.values(promises)) expect(text).toContain(title)
    await statusOf(doors)
    const response = await fetch(`${doors.url}/status`, { headers: json })
    expect(response.headers.get('vary')).toContain('accept')
    const status = await jsonOf(response)
    expect(status.as_of).toMatch(/Z$/)
    expect(partOf(status, 'Database')).toBe('up')
    const counts = { made: 0, kept: 0, broken: 0, p95_ms: null }
    const names = Object.keys(promises).map((promise) => ({ promise, ...counts }))
    expect(status.guarantee).toMatchObject({ days: 90, promises: names })
  })

  test('names the task queues without a worker', async () => {
    doors = await openDoors()
    doors.engine.queues = async () => [queue, { ...queue, name: 'webhooks', workers: 0 }]
    const status = await statusOf(doors)
    expect(status.state).toBe('down')
    expect(status.parts.find(({ name }) => name === 'Workers')?.detail).toContain('webhooks')
  })

  test('reports waiting tasks', async () => {
    doors = await openDoors()
    doors.engine.queues = async () => [{ ...queue, backlog: 9, oldestSeconds: 600 }]
    const status = await statusOf(doors)
    expect(partOf(status, 'Workers')).toBe('degraded')
  })

  test('reports late bookings', async () => {
    doors = await openDoors()
    doors.engine.queues = async () => [queue]
    expect((await statusOf(doors)).state).toBe('up')
    const { accountId } = await doors.openAccount('pro')
    const id = await insertBareBooking(doors.db, accountId)
    await doors.db.query(
      `update booking set venue_sync = 'withdraw_due',
       next_action_at = now() - interval '10 minutes'
       where id = $1`,
      [id],
    )
    const status = await statusOf(doors)
    expect(partOf(status, 'Bookings')).toBe('degraded')
    expect(status.state).toBe('degraded')
  })

  test('never calls unknown values healthy', async () => {
    doors = await openDoors()
    doors.engine.queues = async () => {
      throw new Error('Temporal is away')
    }
    doors.engine.check = doors.engine.queues as unknown as () => Promise<void>
    const db = { query: () => new Promise<never>(() => {}) }
    const status = await readNetworkStatus({ engine: doors.engine, db } as never, new Date())
    expect(status.state).toBe('down')
    expect(status.parts.map(({ state }) => state)).not.toContain('up')
  })
})

test('works without the database, like the home page and the documents', async () => {
  let cut = async () => {}
  doors = await openDoors({}, async (databaseUrl) => {
    const address = new URL(databaseUrl)
    const proxy = await openTcpProxy(address.hostname, Number(address.port))
    cut = proxy.close
    address.port = String(proxy.port)
    return address.href
  })
  await cut()
  const { url } = doors
  const look = (path: string) => fetch(url + path, { headers: { accept: 'text/html' } })
  for (const path of ['/', '/docs', '/docs/bookings', '/errors', '/llms.txt']) {
    expect({ path, status: (await look(path)).status }).toEqual({ path, status: 200 })
  }
  for (const path of ['/venues', '/venues/satu-meja', '/sitemap.xml']) {
    const response = await look(path)
    expect({ path, status: response.status }).toEqual({ path, status: 503 })
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await response.text()).toContain('A part of the service is not answering')
  }
  const status = await jsonOf(await fetch(`${url}/status`, { headers: json }))
  expect(status.status).toBe('down')
  expect(partOf(status, 'Database')).toBe('down')
})
