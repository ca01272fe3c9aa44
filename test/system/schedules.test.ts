import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOOKINGS_QUEUE } from '../../src/contract/rules/task-queues.ts'
import { ensureSchedules } from '../../src/schedules.ts'
import { type Network, openNetwork } from '../support/network.ts'

let network: Network

beforeAll(async () => {
  network = await openNetwork()
})
afterAll(() => network?.close())

const schedule = (id: string) => network.client.schedule.getHandle(id)

test('a schedule of an earlier release follows this one, and stays paused', async () => {
  await schedule('sweep').delete()
  await network.client.schedule.create({
    scheduleId: 'sweep',
    spec: { intervals: [{ every: '1h' }] },
    action: { type: 'startWorkflow', workflowType: 'anotherSweep', taskQueue: 'another' },
    state: { paused: true, note: 'while we look into it' },
  })
  await ensureSchedules(network.client)
  await ensureSchedules(network.client)
  const { spec, action, policies, state } = await schedule('sweep').describe()
  expect(spec.intervals).toMatchObject([{ every: 15_000 }])
  expect(action).toMatchObject({
    workflowType: 'sweep',
    taskQueue: BOOKINGS_QUEUE,
    workflowRunTimeout: 120_000,
  })
  expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 10_000 })
  expect(state).toMatchObject({ paused: true, note: 'while we look into it' })
})

test('no scheduled run can last for ever', async () => {
  await ensureSchedules(network.client)
  const limits: unknown[] = []
  for await (const { scheduleId } of network.client.schedule.list()) {
    const { action } = await schedule(scheduleId).describe()
    limits.push(action.workflowRunTimeout)
  }
  expect(limits.length).toBeGreaterThan(0)
  expect(limits.filter((limit) => !limit)).toEqual([])
})
