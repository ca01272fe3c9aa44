import { NativeConnection, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import type { BookingStart, BookingState } from '../../src/bookings/rules/booking-messages.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { createEngine } from '../../src/compose/engine.ts'
import { installQuietRuntime } from '../../src/platform/temporal/workers.ts'
import { workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import { actionsOf, sumOf } from '../support/actions.ts'
import { testActivities } from '../support/activities.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { bundleFolder } from '../support/programs.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { traces } from '../support/traces.ts'

installQuietRuntime()

let network: Network
let connection: NativeConnection
let worker: Worker
let running: Promise<void>

beforeAll(async () => {
  network = await openNetwork()
  const { client, config, db } = network
  connection = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS })
  const activities = await testActivities(db, client)
  /** The true due time of a booking's next step. */
  let due = ''
  // The workflow learns that each step is due at once; the step then runs as of its true time.
  const soon = <S extends BookingState>(state: S): S => {
    if (!state.nextActionAt) return state
    due = state.nextActionAt
    return { ...state, nextActionAt: new Date().toISOString() }
  }
  worker = await Worker.create({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: BOOKINGS_QUEUE,
    workflowBundle: await workflowBundle(bundleFolder),
    activities: {
      ...activities,
      async decideBooking(start: BookingStart, at: number) {
        const { state, ...decision } = await activities.decideBooking(start, at)
        return { ...decision, state: state && soon(state) }
      },
      actWhenDue: async (start: BookingStart) =>
        soon(await actWhenDue(db, start, stepDeps, new Date(due))),
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

/** Takes a booking from its request to its completion, and counts the actions. */
async function actionsOfLife() {
  const { client, db } = network
  const start = await requestDaysAhead(db)
  const workflowId = bookingWorkflowId(start.bookingId)
  expect(await createEngine(client).confirm(start, 30)).toMatchObject({ booking: {} })
  expect(await client.workflow.getHandle(workflowId).result()).toBe('completed')
  expect((await traces(db, start.bookingId)).events).toEqual([
    'booking.held',
    'booking.confirmed',
    'fee.accrued',
    'booking.reminder',
    'booking.reminder',
    'booking.completed',
  ])
  return actionsOf(client, workflowId)
}

test('the whole life of a booking takes at most 11 Temporal actions', async () => {
  // The lowest count of several: on a busy machine, a slow step costs an extra task.
  const lives = [await actionsOfLife(), await actionsOfLife(), await actionsOfLife()]
  const [actions = {}] = lives.toSorted((one, other) => sumOf(one) - sumOf(other))
  // Opening and its timer; a step and a timer per reminder; completion and its status.
  expect(actions).toEqual({ start: 1, update: 1, upsert: 2, markers: 4, timer: 3 })
  expect(sumOf(actions)).toBeLessThanOrEqual(11)
})
