import { expect, test } from 'vitest'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { createNoteResumed } from '../../src/platform/telemetry/pass-metrics.ts'
import { readableLog } from '../support/lines.ts'

test('resumed workflows are counted by type and by how, and logged with their ids', async () => {
  const metrics = createMetrics()
  const { log, lines } = readableLog()
  const note = createNoteResumed(log, metrics)
  const bookingId = '0197a1f0-0000-7000-8000-000000000000'
  note('booking', `booking/${bookingId}`, 'replaced')
  note('webhookDelivery', 'webhook/x', 'started')
  expect((await metrics.resumedWorkflows.get()).values).toEqual([
    { labels: { workflow: 'booking', how: 'replaced' }, value: 1 },
    { labels: { workflow: 'webhookDelivery', how: 'started' }, value: 1 },
  ])
  expect(lines()).toMatchObject([
    { workflow: 'booking', booking_id: bookingId, how: 'replaced' },
    { workflow: 'webhookDelivery', workflow_id: 'webhook/x' },
  ])
})
