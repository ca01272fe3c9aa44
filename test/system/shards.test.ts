import type { Client } from '@temporalio/client'
import { expect, test } from 'vitest'
import { ensureSchedules, scheduledWorkflows } from '../../src/compose/schedules.ts'
import { startWorker } from '../../src/compose/start-worker.ts'
import { readRunConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { openNetwork } from '../support/network.ts'

const log = createLog('silent')

const argumentsOf = async ({ schedule }: Client) =>
  Object.fromEntries(
    await Promise.all(
      scheduledWorkflows.map(async (id) => {
        const { action } = await schedule.getHandle(id).describe()
        return [id, action.args ?? []]
      }),
    ),
  )

/** The input of each activity of this type in a workflow's run. */
async function inputsOf({ workflow, options }: Client, workflowId: string, activity: string) {
  const { payloadConverter } = options.loadedDataConverter
  const { events } = await workflow.getHandle(workflowId).fetchHistory()
  return (events ?? [])
    .map(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled)
    .filter((scheduled) => scheduled?.activityType?.name === activity)
    .map((scheduled) =>
      (scheduled?.input?.payloads ?? []).map((payload) => payloadConverter.fromPayload(payload)),
    )
}

test('the setting divides each run, and another value follows from the next run on', async () => {
  const network = await openNetwork({ HOUSEKEEPING_SHARDS: '3' }, { isScheduled: true })
  const { client } = network
  const worker = await startWorker(network.config, log)
  const rounds = expect.objectContaining({ count: expect.any(Number) })
  expect(await argumentsOf(client)).toEqual({
    sweep: [rounds],
    waitlistScan: [rounds, 3],
    mirror: [rounds, 3],
    collect: [],
    paymentUpkeep: [],
    webhookUpkeep: [],
    retention: [3],
  })
  const part = (index: number) => ({ index, count: 3 })
  const once = { count: 1, seconds: 0 }
  for (const [type, activity, given] of [
    ['mirror', 'mirrorInRounds', once],
    ['waitlistScan', 'scanInRounds', once],
    ['retention', 'eraseDeliveries', expect.any(Number)],
    ['retention', 'eraseHistory', expect.any(Number)],
  ] as const) {
    await client.workflow.execute(type, {
      workflowId: `three-${activity}`,
      taskQueue: 'bookings',
      args: type === 'retention' ? [3] : [once, 3],
    })
    const inputs = await inputsOf(client, `three-${activity}`, activity)
    expect(inputs).toEqual([0, 1, 2].map((index) => [given, part(index)]))
  }
  await ensureSchedules(client)
  expect(await argumentsOf(client)).toMatchObject({ mirror: [rounds], retention: [] })
  const alone = { workflowId: 'alone', taskQueue: 'bookings', args: [once] }
  await client.workflow.execute('mirror', alone)
  expect(await inputsOf(client, 'alone', 'mirrorInRounds')).toHaveLength(1)
  await worker.stop()
  await network.close()
})

test('more shards than the history of a run has room for are refused', () => {
  expect(() => readRunConfig({ NODE_ENV: 'test', HOUSEKEEPING_SHARDS: '9' })).toThrow(
    'HOUSEKEEPING_SHARDS',
  )
})
