import { randomUUID } from 'node:crypto'
import { ApplicationFailure } from '@temporalio/common'
import { msToTs } from '@temporalio/common/lib/time.js'
import { Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRuns, type Run, UNAVAILABLE } from '../../src/platform/temporal/runs.ts'
import { connectWorkers, installQuietRuntime } from '../../src/platform/temporal/workers.ts'
import { workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import type { EntryStart } from '../../src/waitlist/rules/entry.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { bundleFolder, eventually } from '../support/programs.ts'

installQuietRuntime()

let network: Network
let stopWorker = async () => {}
const taskQueue = 'runs'

const about: Omit<EntryStart, 'entryId'> = {
  accountId: 'a',
  venueSlug: 'v',
  venueName: 'V',
  slotTime: '2027-01-15T19:00:00',
  timezone: 'Asia/Makassar',
  startsAt: '2027-01-15T11:00:00Z',
  partySize: 2,
}

/** The workflow of a watch whose activity keeps failing, in the way that its id says. */
const entry = (entryId: string): Run => ({
  type: 'waitlistEntry',
  options: {
    taskQueue,
    workflowId: `waitlist/${entryId} ${randomUUID()}`,
    args: [{ ...about, entryId }],
  },
})

beforeAll(async () => {
  network = await openNetwork()
  const connection = await connectWorkers(network.config.TEMPORAL_ADDRESS)
  const worker = await Worker.create({
    connection,
    namespace: network.config.TEMPORAL_NAMESPACE,
    taskQueue,
    workflowBundle: await workflowBundle(bundleFolder),
    activities: {
      async readEntry({ entryId: type }: { entryId: string }) {
        throw ApplicationFailure.create({ message: 'no', type })
      },
    },
  })
  const running = worker.run()
  stopWorker = async () => {
    worker.shutdown()
    await running
    await connection.close()
  }
})
afterAll(async () => {
  await stopWorker()
  await network?.close()
})

/** Makes a run's activity reach too many failures immediately, rather than after two minutes. */
async function failOften(workflowId: string): Promise<void> {
  const { workflow, workflowService } = network.client
  const pending = async () => {
    const { raw } = await workflow.getHandle(workflowId).describe()
    return raw.pendingActivities?.[0]
  }
  const { activityId } = await eventually('the activity', pending)
  const fast = msToTs(10)
  await workflowService.updateActivityOptions({
    namespace: network.config.TEMPORAL_NAMESPACE,
    execution: { workflowId },
    id: activityId ?? '',
    activityOptions: { retryPolicy: { initialInterval: fast, maximumInterval: fast } },
    updateMask: { paths: ['retryPolicy.initialInterval', 'retryPolicy.maximumInterval'] },
  })
  await eventually('many attempts', async () => ((await pending())?.attempt ?? 0) > 12)
}

test('a run whose activity keeps failing is replaced; its replacement is left alone', async () => {
  const notes: string[] = []
  const runs = createRuns(network.client, (type, _id, how) => void notes.push(`${how} ${type}`))
  const run = entry('Wrong')
  expect(await runs.resume(run)).toBe('started')
  expect(await runs.resume(run)).toBe(false)
  await failOften(run.options.workflowId)
  expect(await runs.resume(run)).toBe('replaced')
  await failOften(run.options.workflowId)
  expect(await runs.resume(run)).toBe(false)
  expect(notes).toEqual(['started waitlistEntry', 'replaced waitlistEntry'])
  const { memo } = await network.client.workflow.getHandle(run.options.workflowId).describe()
  expect(memo).toMatchObject({ replaced: 1 })
})

test('a run that waits for the database is left alone', async () => {
  const runs = createRuns(network.client)
  const run = entry(UNAVAILABLE)
  await runs.start(run)
  await failOften(run.options.workflowId)
  expect(await runs.resume(run)).toBe(false)
})

test.each([
  ['on a queue that nobody polls', { taskQueue: 'nobody' }],
  ['with a delay', { startDelay: '1 day' } as const],
])('a run that somebody started %s is replaced', async (_, by) => {
  const runs = createRuns(network.client)
  const run = entry('Wrong')
  await runs.start({ ...run, options: { ...run.options, ...by } })
  expect(await runs.resume(run)).toBe('replaced')
  expect(await runs.resume(run)).toBe(false)
})
