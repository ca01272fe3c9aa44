import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Agent, findSlot } from '../support/agent.ts'
import { afterCommit, beforeCommit, type CrashSite, openCrashSite } from '../support/crash-site.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'

let site: CrashSite
let agent: Agent

beforeAll(async () => {
  site = await openCrashSite()
  ;({ agent } = site)
})
afterAll(() => site?.close())
afterEach(() => site.killWorkers())

const once = () => ({ 'idempotency-key': randomUUID() })

const confirmed = async () => {
  const slot = await findSlot(agent, 'restaurant')
  const { body } = await agent.post('/api/bookings', slot, once())
  return body.booking.id as string
}

const statusOf = async (id: string) =>
  (await agent.get(`/api/bookings/${id}`)).body.booking.status as string

test.each([
  ['before the cancellation commits', beforeCommit(1)],
  ['after the cancellation has committed', afterCommit(1)],
])('a worker killed %s leaves a booking that the next one cancels, once', async (_when, at) => {
  const first = await site.startWorker()
  const id = await confirmed()
  await first.end('SIGKILL')
  const key = once()
  const cancel = (wait: number) => agent.post(`/api/bookings/${id}/cancel`, { wait }, key)
  await site.killWorkerAt(at, async () => {
    expect((await cancel(0)).status).toBe(202)
  })
  await site.startWorker()
  await eventually('the booking to be cancelled', async () => (await statusOf(id)) === 'cancelled')
  expect(await cancel(10)).toMatchObject({
    status: 200,
    body: { status: 'cancelled', replayed: true },
  })
  const left = await traces(site.network.db, id)
  expect(left.events.slice(-2)).toEqual(['booking.cancelled', 'fee.reversed'])
  expect(left.fees.map(({ kind }) => kind)).toEqual(['accrual', 'reversal'])
})

test('a command without a worker is recorded, and run once there is one', async () => {
  const first = await site.startWorker()
  const id = await confirmed()
  await first.end('SIGKILL')
  const asked = await agent.post(`/api/bookings/${id}/cancel`, { wait: 1 }, once())
  // The queue may list the dead worker for a while longer, so either answer is right.
  expect([202, 503]).toContain(asked.status)
  expect(await statusOf(id)).toBe('confirmed')
  await site.startWorker()
  await eventually('the booking to be cancelled', async () => (await statusOf(id)) === 'cancelled')
})

test('a booking whose workflow was terminated can still be cancelled', async () => {
  await site.startWorker()
  const id = await confirmed()
  await site.network.client.workflow.getHandle(`booking/${id}`).terminate('by a test')
  const cancelled = await agent.post(`/api/bookings/${id}/cancel`, {}, once())
  expect(cancelled).toMatchObject({ status: 200, body: { booking: { status: 'cancelled' } } })
})
