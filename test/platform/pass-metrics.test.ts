import { expect, test } from 'vitest'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { countPasses } from '../../src/platform/telemetry/pass-metrics.ts'

test('only bookings that the sweep resumed are counted as resumed', async () => {
  const metrics = createMetrics()
  const count = countPasses(metrics)
  const pass = { failures: [], next: null }
  count('resumeLostBookings', { ...pass, done: 5, failed: 1 })
  count('resumeLostGroups', { ...pass, done: 4, failed: 0 })
  const { values } = await metrics.resumedBookings.get()
  expect(values.map(({ value }) => value)).toEqual([5])
  const failed = await metrics.sweepFailures.get()
  expect(failed.values).toContainEqual({ labels: { activity: 'resumeLostBookings' }, value: 1 })
})
