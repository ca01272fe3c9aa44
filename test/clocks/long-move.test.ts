import { NativeConnection, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import { clockWorkflowId } from '../../src/clocks/rules/test-clocks.ts'
import { afterTurn, isPatient, noWait, type Reached } from '../../src/clocks/rules/turns.ts'
import { installQuietRuntime } from '../../src/platform/temporal/workers.ts'
import { workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import { testActivities } from '../support/activities.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { bundleFolder } from '../support/programs.ts'

installQuietRuntime()

let network: Network
let connection: NativeConnection
let worker: Worker
let running: Promise<void>
/** How far each turn got, and whether it was patient. */
let reach: (nth: number) => Reached
let patient: boolean[]

beforeAll(async () => {
  network = await openNetwork()
  const { client, config, db } = network
  connection = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS })
  worker = await Worker.create({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: BOOKINGS_QUEUE,
    workflowBundle: await workflowBundle(bundleFolder),
    activities: {
      ...(await testActivities(db, client)),
      advanceClock: async (_: string, isPatient: boolean) => reach(patient.push(isPatient)),
    },
  })
  running = worker.run()
})
afterAll(async () => {
  worker?.shutdown()
  await running
  await connection?.close()
  await network?.close()
})
beforeEach(() => {
  patient = []
})

async function move(name: string, wait?: object) {
  const workflowId = clockWorkflowId(name)
  const args = [{ accountId: name, name }, ...(wait ? [wait] : [])]
  const handle = await network.client.workflow.start('testClock', {
    ...{ workflowId, args, taskQueue: BOOKINGS_QUEUE },
  })
  return { handle, workflowId }
}

/** The history lengths of all runs of a workflow. */
async function lengthsOf(workflowId: string): Promise<number[]> {
  const lengths: number[] = []
  const query = `WorkflowId = '${workflowId}'`
  for await (const { runId } of network.client.workflow.list({ query })) {
    const { events } = await network.client.workflow.getHandle(workflowId, runId).fetchHistory()
    lengths.push(events?.length ?? 0)
  }
  return lengths
}

test('a long move continues as new runs with short histories and no further patience', async () => {
  // Almost all of the clock's patience is used up.
  const wait = { pauseMs: 250, atStopMs: 0, onWayMs: 299_900 }
  reach = (nth) => (nth < 120 ? 'moving' : nth === 120 ? 'waiting' : 'ready')
  const { handle, workflowId } = await move('long', wait)
  expect(await handle.result()).toBe('ready')
  expect(patient).toEqual([...Array.from({ length: 120 }, () => true), false])
  const lengths = await lengthsOf(workflowId)
  expect(lengths.length).toBeGreaterThan(1)
  for (const length of lengths) expect(length).toBeLessThan(600)
})

test('a waiting caller is answered when a long move continues as a new run', async () => {
  reach = (nth) => (nth < 100 ? 'moving' : 'ready')
  const { handle } = await move('asked')
  expect(await handle.executeUpdate('advance')).toBe('ready')
  expect(patient.length).toBeLessThan(100)
  expect(await handle.result()).toBe('ready')
  expect(patient).toHaveLength(100)
})

test('a waiting clock checks ever less often, for five minutes in all', () => {
  const pauses: number[] = []
  let wait = noWait
  for (let stop = 0; stop < 10; stop += 1) {
    for (; isPatient(wait); wait = afterTurn('waiting', wait)) pauses.push(wait.pauseMs)
    wait = afterTurn('moving', wait)
  }
  expect(pauses.slice(0, 9)).toEqual([250, 500, 1e3, 2e3, 4e3, 8e3, 16e3, 30e3, 250])
  const seconds = pauses.reduce((sum, pause) => sum + pause / 1_000, 0)
  expect(seconds).toBeGreaterThanOrEqual(300)
  expect(seconds).toBeLessThan(330)
  expect(isPatient(wait)).toBe(false)
  expect(afterTurn('ready', wait)).toEqual(noWait)
})

test('a clock that awaits its turn checks ever less often, and stays patient', () => {
  let wait = noWait
  for (let turns = 0; turns < 50; turns += 1) wait = afterTurn('busy', wait)
  expect(wait).toEqual({ ...noWait, pauseMs: 30_000 })
})
