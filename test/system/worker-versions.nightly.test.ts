import { randomUUID } from 'node:crypto'
import proto from '@temporalio/proto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import { startApi } from '../../src/compose/start-api.ts'
import { startWorker } from '../../src/compose/start-worker.ts'
import { readRunConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { openWorkerVersions, type WorkerVersions } from '../../tools/cluster/worker-versions.ts'
import { type Agent, findSlot, openAgent } from '../support/agent.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { eventually } from '../support/programs.ts'

const { VersioningBehavior, PendingActivityState, WorkerVersioningMode, WorkflowTaskFailedCause } =
  proto.temporal.api.enums.v1
const { PENDING_ACTIVITY_STATE_STARTED: STARTED } = PendingActivityState
const POLL_MS = 30_000
const log = createLog('silent')
const name = 'venue-network'
let network: Network
let api: Awaited<ReturnType<typeof startApi>>
let agent: Agent
let versions: WorkerVersions

beforeAll(async () => {
  network = await openNetwork()
  const { TEMPORAL_ADDRESS: address } = network.config
  versions = await openWorkerVersions({ client: network.client, address, name })
  api = await startApi(network.config, log)
  agent = await openAgent(network.db, api.url)
})
afterAll(async () => {
  await api?.stop()
  await network?.close()
})

const serve = (TEMPORAL_WORKER_BUILD_ID: string, more: Record<string, string> = {}) =>
  startWorker(readRunConfig({ ...network.env, TEMPORAL_WORKER_BUILD_ID, ...more }), log)

async function book(): Promise<string> {
  const slot = await findSlot(agent, 'restaurant')
  const { body } = await agent.post('/api/bookings', slot, { 'idempotency-key': randomUUID() })
  expect(body.status).toBe('confirmed')
  const handle = network.client.workflow.getHandle(bookingWorkflowId(body.booking.id))
  await eventually('its first task', async () => {
    const { searchAttributes } = await handle.describe()
    return searchAttributes.BookingStatus?.[0] === 'confirmed'
  })
  return body.booking.id
}

/** A command makes a workflow run a task. */
async function amend(id: string, party_size: number) {
  const { body } = await agent.patch(`/api/bookings/${id}`, { party_size })
  expect(body.booking).toMatchObject({ party_size, status: 'confirmed' })
}

/** How a workflow is versioned, and the version that ran its last task. */
async function versionOf(workflowId: string) {
  const { raw } = await network.client.workflow.getHandle(workflowId).describe()
  const { versioningInfo } = raw.workflowExecutionInfo ?? {}
  const { behavior = 0, deploymentVersion, versioningOverride } = versioningInfo ?? {}
  if (versioningOverride?.pinned) return `kept on ${versioningOverride.pinned.version?.buildId}`
  return `${VersioningBehavior[behavior ?? 0]?.slice(20)} ${deploymentVersion?.buildId ?? 'none'}`
}
const bookedOn = (id: string) => versionOf(bookingWorkflowId(id))

test('bookings move to the current version by themselves, and back again', async () => {
  const unversioned = await startWorker(network.config, log)
  const [early, late] = [await book(), await book()]
  expect(await bookedOn(early)).toBe('UNSPECIFIED none')

  const one = await serve('one')
  await versions.setCurrent('one')
  await unversioned.stop()
  await amend(early, 3)
  expect(await bookedOn(early)).toBe('AUTO_UPGRADE one')
  await amend(late, 3)

  const two = await serve('two')
  await versions.setCurrent('two')
  await amend(late, 4)
  expect(await bookedOn(late)).toBe('AUTO_UPGRADE two')
  expect(await bookedOn(early)).toBe('AUTO_UPGRADE one')

  expect(await versions.goBack('one', 'two')).toBeGreaterThan(0)
  expect(await bookedOn(late)).toBe('kept on two')
  await amend(late, 2)
  await amend(early, 2)
  expect(await bookedOn(early)).toBe('AUTO_UPGRADE one')
  const between = await book()
  expect(await bookedOn(between)).toBe('AUTO_UPGRADE one')

  const three = await serve('three')
  await versions.setCurrent('three')
  await versions.release('two')
  for (const id of [early, late, between]) {
    await amend(id, 4)
    expect(await bookedOn(id)).toBe('AUTO_UPGRADE three')
    const { body } = await agent.post(`/api/bookings/${id}/cancel`, {})
    expect(body.status).toBe('cancelled')
  }
  for (const worker of [one, two, three]) await worker.stop()
})

/** Takes tasks as older code would, and fails them until one of them is this workflow's. */
async function failTaskOf(workflowId: string, buildId: string) {
  const { workflowService, options } = network.client
  const { namespace } = options
  const workerVersioningMode = WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED
  const deploymentOptions = { deploymentName: name, buildId, workerVersioningMode }
  const cause = WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR
  const taskQueue = { name: BOOKINGS_QUEUE }
  await eventually('its task', async () => {
    const polled = { namespace, taskQueue, deploymentOptions, identity: 'older code' }
    const { taskToken, workflowExecution } = await network.client.withDeadline(
      Date.now() + POLL_MS,
      () => workflowService.pollWorkflowTaskQueue(polled),
    )
    if (taskToken.length === 0) return false
    await workflowService.respondWorkflowTaskFailed({
      namespace,
      taskToken,
      cause,
      deploymentOptions,
    })
    return workflowExecution?.workflowId === workflowId
  })
}

test('a booking that failed on older code stays on the version that it left', async () => {
  const older = await serve('older')
  await versions.setCurrent('older')
  const newer = await serve('newer')
  await versions.setCurrent('newer')
  const id = await book()
  await older.stop()
  await versions.setCurrent('older')
  await network.client.workflow.getHandle(bookingWorkflowId(id)).signal('commandsSubmitted')
  await failTaskOf(bookingWorkflowId(id), 'older')

  expect(await versions.goBack('older', 'newer')).toBeGreaterThan(0)
  expect(await bookedOn(id)).toBe('kept on newer')
  await amend(id, 3)
  const { body } = await agent.post(`/api/bookings/${id}/cancel`, {})
  expect(body.status).toBe('cancelled')
  await newer.stop()
})

test('a scheduled run ends on its version, and the next one is on the current', async () => {
  const start = (workflowId: string, count: number) =>
    network.client.workflow.start('sweep', {
      workflowId,
      taskQueue: BOOKINGS_QUEUE,
      args: [{ count, seconds: 1 }],
    })
  await versions.setCurrent(undefined)
  const unversioned = await startWorker(network.config, log)
  const before = await start('before', 600)
  await eventually('its activity', async () => {
    const { raw } = await before.describe()
    return raw.pendingActivities?.some(({ state }) => state === STARTED)
  })
  const [four, five] = [await serve('four'), await serve('five')]
  await versions.setCurrent('four')
  await unversioned.stop()
  // A worker without a build id pins nothing: its workflows move like everything else.
  await eventually('another attempt', async () => {
    const { raw } = await before.describe()
    return raw.pendingActivities?.some(({ attempt, state }) => attempt === 2 && state === STARTED)
  })
  const during = await start('during', 600)
  await eventually('its first task', async () => (await versionOf('during')) === 'PINNED four')
  await versions.setCurrent('five')
  const after = await start('after', 1)
  await after.result()
  expect(await versionOf('after')).toBe('PINNED five')
  const elsewhere = async () => (await versions.countPinned('four')) > 0
  await eventually('a run that is listed on another version', elsewhere)
  await Promise.all([before.terminate(), during.terminate()])
  await Promise.all([before, during].map((run) => run.result().catch(() => {})))
  expect(await versionOf('during')).toBe('PINNED four')
  for (const worker of [four, five]) await worker.stop()
})
