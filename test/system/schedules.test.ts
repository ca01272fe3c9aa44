import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rounds } from '../../src/base/rounds.ts'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import { ensureSchedules, scheduledWorkflows } from '../../src/compose/schedules.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { eventually } from '../support/programs.ts'

let network: Network

beforeAll(async () => {
  network = await openNetwork({}, { isScheduled: true })
})
afterAll(() => network?.close())

const schedule = (id: string) => network.client.schedule.getHandle(id)

test('a schedule from an earlier release is updated to this one, and stays paused', async () => {
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
  expect(spec.intervals).toMatchObject([{ every: 300_000 }])
  expect(action).toMatchObject({
    workflowType: 'sweep',
    taskQueue: BOOKINGS_QUEUE,
    workflowRunTimeout: 480_000,
    args: [{ count: 20, seconds: 15 }],
  })
  expect(policies).toMatchObject({ overlap: 'BUFFER_ONE', catchupWindow: 300_000 })
  expect(state).toMatchObject({ paused: true, note: 'while we look into it' })
})

/** Everything that runs on a schedule in this namespace. */
async function allSchedules() {
  await ensureSchedules(network.client)
  // The list shows a schedule only a moment after its creation.
  await eventually('all schedules', async () => {
    const ids: string[] = []
    for await (const { scheduleId } of network.client.schedule.list()) ids.push(scheduleId)
    return `${ids.sort()}` === `${[...scheduledWorkflows].sort()}`
  })
  return Promise.all(scheduledWorkflows.map((id) => schedule(id).describe()))
}

test('no scheduled run can last forever', async () => {
  const limits = (await allSchedules()).map(({ action }) => action.workflowRunTimeout)
  expect(limits.filter((limit) => !limit)).toEqual([])
})

test('all schedules together start at most three runs every five minutes', async () => {
  const intervals = (await allSchedules()).flatMap(({ spec }) => spec.intervals ?? [])
  const perMinute = intervals.reduce((sum, { every }) => sum + 60_000 / Number(every), 0)
  expect(perMinute).toBeGreaterThan(0.2)
  expect(perMinute).toBeLessThanOrEqual(0.6)
})

test.each([
  ['sweep', 15],
  ['mirror', 20],
  ['waitlistScan', 30],
])('a run of %s works every %i s until the next run begins', async (id, seconds) => {
  const { spec, action } = await schedule(id).describe()
  const [{ every } = { every: 0 }] = spec.intervals ?? []
  const [rounds] = action.args as unknown as [Rounds]
  expect(rounds).toEqual({ count: Number(every) / seconds / 1000, seconds })
})
