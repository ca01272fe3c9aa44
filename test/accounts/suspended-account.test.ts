import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectQueue } from '../../src/waitlist/store/queue.ts'
import { storeCommand } from '../support/commands.ts'
import { insertEndpointRow } from '../support/deliveries.ts'
import { openBrowser } from '../support/developers.ts'
import { everyDoorTo } from '../support/every-door.ts'
import { fillSlot } from '../support/full-slot.ts'
import { openStreamable } from '../support/mcp-streamable.ts'
import { openMcpClient } from '../support/mcp-tool.ts'
import {
  addKey,
  bearer,
  type Doors,
  type Holder,
  jsonOf,
  openDoors,
} from '../support/open-doors.ts'
import { requestDaysAhead, writeRequest } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { makeTraffic } from '../support/traffic.ts'
import { addWatch } from '../waitlist/add-watch.ts'

let doors: Doors

beforeAll(async () => {
  doors = await openDoors({ FEED_HEARTBEAT_SECONDS: '1' })
})
afterAll(() => doors?.close())

const suspend = (accountId: string) =>
  doors.db.query(
    `update account set suspended_at = now(), suspended_reason = 'unpaid invoices' where id = $1`,
    [accountId],
  )
const resume = (accountId: string) =>
  doors.db.query('update account set suspended_at = null, suspended_reason = null where id = $1', [
    accountId,
  ])
const usedBy = async ({ accountId }: Holder) =>
  (await doors.db.query('select used from quota_day where account_id = $1', [accountId])).rows[0]
    ?.used ?? 0

const withStatus = everyDoorTo('booking.search').filter(([name]) => name !== 'MCP')

test.each(withStatus)(
  '%s refuses every key of a suspended account and says whom to contact',
  async (_, send) => {
    const ask = (key: string) => send(doors, key, { query: 'sushi' })
    const holder = await doors.openAccount('pro')
    expect((await ask(holder.key)).code).toBe('ok')
    const unseen = await addKey(doors.db, holder.accountId)
    const used = await usedBy(holder)
    await suspend(holder.accountId)
    for (const { key } of [holder, unseen]) {
      const refused = await ask(key)
      const about = { account_id: holder.accountId, reason: 'unpaid invoices' }
      expect([refused.status, refused.code]).toEqual([403, 'account_suspended'])
      expect(refused.message).toContain('Contact the operator of this network')
      expect(refused.body).toMatchObject(about)
    }
    expect(await usedBy(holder)).toBe(used)
    await resume(holder.accountId)
    expect((await ask(holder.key)).code).toBe('ok')
  },
)

test('MCP refuses new connections, and calls of open ones', async () => {
  const holder = await doors.openAccount('pro')
  const call = { name: 'search_venues', arguments: { query: 'sushi' } }
  await using sse = await openMcpClient(doors.url, holder.key)
  const streamable = await openStreamable(`${doors.url}/mcp`, { headers: bearer(holder.key) })
  await streamable.callTool(call)
  await suspend(holder.accountId)
  await expect(sse.callTool(call)).rejects.toThrow('account_suspended')
  const { isError, content } = await streamable.callTool(call)
  expect(isError).toBe(true)
  expect(JSON.stringify(content)).toContain('account_suspended')
  await streamable.close()
  await expect(openMcpClient(doors.url, holder.key)).rejects.toThrow('403')
})

test('a stream of the feed ends', async () => {
  const holder = await doors.openAccount('pro')
  const headers = { ...bearer(holder.key), accept: 'text/event-stream' }
  const response = await fetch(`${doors.url}/api/feed`, { headers })
  await suspend(holder.accountId)
  expect(await response.text()).toContain('stream.opened')
  const again = await fetch(`${doors.url}/api/feed`, { headers })
  expect((await jsonOf(again)).code).toBe('account_suspended')
})

test('the dashboard says so on every page, and takes no forms', async () => {
  const developer = await openBrowser(doors, { tier: 'pro' })
  const { deliveryId } = await makeTraffic(doors.db, developer.accountId)
  await suspend(developer.accountId)
  for (const path of ['', '/bookings', '/plan', '/requests', `/deliveries/${deliveryId}`]) {
    const { status, html } = await developer.get(`/dashboard${path}`)
    expect(status).toBe(200)
    expect(html).toContain('This account is suspended.')
    expect(html).toContain('unpaid invoices')
  }
  for (const [path, fields] of [
    ['/plan', { tier: 'free' }],
    ['/keys', { name: 'x' }],
    [`/deliveries/${deliveryId}/retry`, {}],
  ] as const) {
    const { status, html } = await developer.post(`/dashboard${path}`, fields)
    expect(status).toBe(403)
    expect(html).toContain('account_suspended')
  }
  const { rows } = await doors.db.query('select tier from account where id = $1', [
    developer.accountId,
  ])
  expect(rows).toEqual([{ tier: 'pro' }])
})

test('a member of a suspended account can open another one', async () => {
  const developer = await openBrowser(doors)
  const other = await openBrowser(doors)
  await doors.db.query(
    `insert into member (account_id, developer_id, role, created_at)
     values ($1, $2, 'developer', now())`,
    [other.accountId, developer.developerId],
  )
  await suspend(developer.accountId)
  const { status } = await developer.post('/dashboard/accounts', { account: other.accountId })
  expect(status).toBe(303)
  expect((await developer.get('/dashboard')).html).not.toContain('This account is suspended.')
})

test('an operator whose account is suspended loses operator rights', async () => {
  const operator = await openBrowser(doors, { isOperator: true })
  await suspend(operator.accountId)
  expect((await operator.get('/dashboard/operators')).status).toBe(404)
})

test('a held slot is still confirmed and its events are enqueued', async () => {
  const { db } = doors
  const { accountId } = await openBrowser(doors, { tier: 'pro' })
  const endpointId = await insertEndpointRow(db, accountId)
  const at = new Date()
  const asked = await requestDaysAhead(db, { at, purpose: 'hold' })
  const start = { ...asked, accountId, bookingId: randomUUIDv7() }
  await writeRequest(db, start, at)
  await decideBooking(db, start, stepDeps, at)
  await suspend(accountId)
  const id = await storeCommand(db, start, 'confirm', at)
  const { state } = await runCommands(db, start, stepDeps, { commandIds: [id], at })
  expect(state?.status).toBe('confirmed')
  const { rows: deliveries } = await doors.db.query(
    `select 1 from delivery where endpoint_id = $1 and event_type = 'booking.confirmed'`,
    [endpointId],
  )
  expect(deliveries).toHaveLength(1)
})

test('the waitlist offers the account nothing', async () => {
  const { db } = doors
  const { slot } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const [first, second] = [await addWatch(db, slot), await addWatch(db, slot)]
  const instant = new Date(slot.startsAt)
  const until = new Date(instant.getTime() + 60_000)
  const queue = async () =>
    (await selectQueue(db, slot.venueId, { from: instant, until, at: new Date(), limit: 9 })).map(
      ({ start }) => start.entryId,
    )
  expect(await queue()).toEqual([first.entryId, second.entryId])
  await suspend(first.accountId)
  expect(await queue()).toEqual([second.entryId])
})
