import { tsToMs } from '@temporalio/common/lib/time.js'
import { NativeConnection, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitlistWorkflowId } from '../../src/base/ids.ts'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { selectBookingForUpdate } from '../../src/bookings/store/bookings.ts'
import { stepOnce } from '../../src/bookings/store/transitions.ts'
import { requestVenueConfirmation } from '../../src/confirmation/steps/request-confirmation.ts'
import { installQuietRuntime } from '../../src/platform/temporal/workers.ts'
import { workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import type { EntryStart } from '../../src/waitlist/rules/entry.ts'
import { testActivities } from '../support/activities.ts'
import { fillSlot, releaseBooking } from '../support/full-slot.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { bundleFolder, eventually } from '../support/programs.ts'
import { stepDeps } from '../support/terms.ts'
import { addWatch } from './add-watch.ts'

installQuietRuntime()

let network: Network
let connection: NativeConnection
let worker: Worker
let running: Promise<void>

beforeAll(async () => {
  network = await openNetwork()
  const { client, config, db } = network
  connection = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS })
  worker = await Worker.create({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: BOOKINGS_QUEUE,
    workflowBundle: await workflowBundle(bundleFolder),
    activities: await testActivities(db, client),
  })
  running = worker.run()
})
afterAll(async () => {
  worker?.shutdown()
  await running
  await connection?.close()
  await network?.close()
})

const MINUTE_MS = 60_000
const fiveMinutesAgo = () => new Date(Date.now() - 5 * MINUTE_MS)

/** A finished watch that was once offered a hold; neither has a running workflow yet. */
async function offeredWatch() {
  const { db } = network
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const watcher = await addWatch(db, slot)
  await releaseBooking(db, holders[0] as BookingStart)
  const { rows } = await db.query(
    'update waitlist_entry set until = $2 where id = $1 returning hold_id, account_id',
    [watcher.entryId, fiveMinutesAgo()],
  )
  return { watcher, bookingId: rows[0].hold_id, accountId: rows[0].account_id }
}

/** The first `count` pauses in a watch's workflow, in ms. */
async function pausesOf(watcher: EntryStart, count: number) {
  const handle = await network.client.workflow.start('waitlistEntry', {
    taskQueue: BOOKINGS_QUEUE,
    workflowId: waitlistWorkflowId(watcher.entryId),
    args: [watcher],
  })
  return eventually('the watch to wait', async () => {
    const { events } = await handle.fetchHistory()
    const pauses = (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
      timer ? [tsToMs(timer.startToFireTimeout)] : [],
    )
    return pauses.length >= count && pauses
  })
}

test('a watch waits for as long as its venue’s system has to decide', async () => {
  const { watcher, bookingId, accountId } = await offeredWatch()
  const at = fiveMinutesAgo()
  await stepOnce(network.db, { bookingId, accountId, transitionId: 'ask', at }, async (tx) =>
    requestVenueConfirmation(tx, await selectBookingForUpdate(tx, bookingId), { ...stepDeps, at }),
  )
  const [pause] = await pausesOf(watcher, 1)
  expect(pause).toBeGreaterThan(10 * MINUTE_MS)
})

test('a watch whose hold nobody ends checks at most once a second', async () => {
  const { watcher, bookingId } = await offeredWatch()
  await network.db.query('update booking set next_action_at = $2 where id = $1', [
    bookingId,
    fiveMinutesAgo(),
  ])
  for (const pause of await pausesOf(watcher, 3)) expect(pause).toBeGreaterThanOrEqual(1_000)
})
