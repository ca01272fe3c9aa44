import { NativeConnection, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import { COMMANDS_SUBMITTED_SIGNAL } from '../../src/bookings/rules/booking-messages.ts'
import { installQuietRuntime } from '../../src/platform/temporal/workers.ts'
import { workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import { testActivities } from '../support/activities.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { bundleFolder, eventually } from '../support/programs.ts'
import { requestDaysAhead } from '../support/requests.ts'

installQuietRuntime()

let network: Network
let connection: NativeConnection
let worker: Worker
let running: Promise<void>
let isAway = true

beforeAll(async () => {
  network = await openNetwork()
  const { client, config, db } = network
  connection = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS })
  const activities = await testActivities(db, client)
  worker = await Worker.create({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: BOOKINGS_QUEUE,
    workflowBundle: await workflowBundle(bundleFolder),
    activities: {
      ...activities,
      decideBooking: async (...args: Parameters<typeof activities.decideBooking>) => {
        if (isAway) throw new Error('the database is away')
        return activities.decideBooking(...args)
      },
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

test('a message ends the pause between two attempts at a step', async () => {
  const { client, db } = network
  const start = await requestDaysAhead(db)
  const handle = await client.workflow.start('booking', {
    taskQueue: BOOKINGS_QUEUE,
    workflowId: bookingWorkflowId(start.bookingId),
    args: [start],
  })
  const timers = async (attributes: 'timerStarted' | 'timerCanceled' | 'timerFired') => {
    const { events = [] } = await handle.fetchHistory()
    return events?.filter((event) => event[`${attributes}EventAttributes`]) ?? []
  }
  // After 1 s and 2 s, the third pause lasts 4 s, and each later one twice as long.
  const started = await eventually('a long pause that has just begun', async () => {
    const pauses = await timers('timerStarted')
    const halfMs = 2 ** pauses.length * 250
    const begunAt = Number(pauses.at(-1)?.eventTime?.seconds ?? 0) * 1_000
    return pauses.length >= 3 && Date.now() - begunAt < halfMs && pauses.length
  })
  isAway = false
  await handle.signal(COMMANDS_SUBMITTED_SIGNAL)
  await eventually('the booking to be confirmed', async () => {
    const { rows } = await db.query('select status from booking where id = $1', [start.bookingId])
    return rows[0]?.status === 'confirmed'
  })
  const fired = await eventually('the end of the pauses', async () => {
    const [past, interrupted] = [await timers('timerFired'), await timers('timerCanceled')]
    return past.length + interrupted.length === started && past.length
  })
  expect(fired).toBe(started - 1)
})
