import type { Context } from '@temporalio/activity'
import { expect, test } from 'vitest'
import { watchActivities } from '../../src/platform/telemetry/activity-watch.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'

test('only bookings that the sweep resumed are counted as resumed', async () => {
  const metrics = createMetrics()
  const watch = watchActivities(createLog('silent'), metrics)
  const run = (activityType: string, result: unknown) => {
    const context = { info: { activityType, attempt: 1 } } as unknown as Context
    return watch(context).inbound?.execute?.({ args: [], headers: {} }, async () => result)
  }
  const pass = { failures: [], next: null }
  await run('resumeLostBookings', { ...pass, done: 2, failed: 1 })
  await run('resumeLostGroups', { ...pass, done: 4, failed: 0 })
  await run('startOfferedHolds', ['a hold'])
  await run('sweepOnce', {
    resumeLostBookings: { ...pass, done: 3, failed: 0 },
    resumeLostGroups: { ...pass, done: 5, failed: 0 },
    eraseOldKeys: null,
  })
  const { values } = await metrics.resumedBookings.get()
  expect(values.map(({ value }) => value)).toEqual([5])
  const failed = await metrics.sweepFailures.get()
  expect(failed.values).toContainEqual({ labels: { activity: 'resumeLostBookings' }, value: 1 })
})
