import { randomUUID } from 'node:crypto'
import { rootCause } from '@temporalio/common'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import { endpointWorkflowId } from '../../src/webhooks/rules/endpoint-messages.ts'
import { findSlot, makeKey } from '../support/agent.ts'
import { insertBareBooking } from '../support/bare-booking.ts'
import { insertEndpointRow, writeEvents } from '../support/deliveries.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { untilIdle } from '../support/runs.ts'
import { runOnce } from '../support/scheduled-runs.ts'
import { openTemporal } from '../support/temporal-server.ts'

const MAX_SIGNALS = 5

let temporal: Awaited<ReturnType<typeof openTemporal>>
let service: Service

beforeAll(async () => {
  temporal = await openTemporal([`history.maximumSignalsPerExecution=${MAX_SIGNALS}`])
  service = await openService({ TEMPORAL_ADDRESS: temporal.address })
})
afterAll(async () => {
  await service?.close()
  await temporal?.close()
})

/** A confirmed booking whose run has received as many signals as the server allows. */
async function fullBooking(): Promise<string> {
  const slot = await findSlot(service.agent, 'restaurant')
  const { body } = await service.agent.post('/api/bookings', slot)
  const run = service.client.workflow.getHandle(bookingWorkflowId(body.booking.id))
  for (let n = 0; n < MAX_SIGNALS; n += 1) await run.signal('commandsSubmitted')
  await expect(run.signal('commandsSubmitted')).rejects.toThrow()
  await untilIdle(run)
  return body.booking.id
}

/** A venue's response that its booking has not noticed for a minute. */
const addUnappliedResponse = (bookingId: string) =>
  service.db.query(
    `insert into venue_response (booking_id, id, revision, status, answered_at, received_at)
     values ($1, $2, 1, 'confirmed', now(), now() - interval '1 minute')`,
    [bookingId, randomUUID()],
  )

/** Another account's endpoint, not notified of its delivery. */
async function addUnnoticedDelivery(): Promise<string> {
  const { accountId } = await makeKey(service.db, 'free')
  const endpointId = await insertEndpointRow(service.db, accountId)
  await writeEvents(service.db, accountId, 1)
  await service.db.query(
    `update delivery set due_at = now() - interval '1 minute' where endpoint_id = $1`,
    [endpointId],
  )
  return endpointId
}

/** Details of another account's guest that should have been erased by now. */
async function addGuestToErase(): Promise<string> {
  const { accountId } = await makeKey(service.db, 'free')
  const bookingId = await insertBareBooking(service.db, accountId)
  await service.db.query(
    `insert into booking_guest (booking_id, name, erase_after) values ($1, 'Guest', now())`,
    [bookingId],
  )
  return bookingId
}

const isErased = async (bookingId: string) => {
  const guest = 'select from booking_guest where booking_id = $1'
  return (await service.db.query(guest, [bookingId])).rowCount === 0
}
const isRunning = (workflowId: string) =>
  service.client.workflow
    .getHandle(workflowId)
    .describe()
    .then(() => true)
    .catch(() => false)

/** Runs one sweep, and returns why it failed. */
const sweep = () =>
  runOnce(service.client, 'sweep')
    .then(() => null)
    .catch((error: Error) => rootCause(error.cause))

test('a booking that accepts no more signals does not affect other accounts', async () => {
  await addUnappliedResponse(await fullBooking())
  const [endpointId, guestOf] = [await addUnnoticedDelivery(), await addGuestToErase()]
  expect(await sweep()).toBeNull()
  expect(await isRunning(endpointWorkflowId(endpointId))).toBe(true)
  expect(await isErased(guestOf)).toBe(true)
})

test('a failing step of the sweep does not stop the other steps', async () => {
  const [endpointId, guestOf] = [await addUnnoticedDelivery(), await addGuestToErase()]
  await service.db.query('alter table venue_response rename to venue_response_away')
  try {
    expect(await sweep()).toMatch(/^failed: responses/)
    expect(await isRunning(endpointWorkflowId(endpointId))).toBe(true)
    expect(await isErased(guestOf)).toBe(true)
  } finally {
    await service.db.query('alter table venue_response_away rename to venue_response')
  }
})

test('the next round makes up for a step that failed', async () => {
  const [endpointId, guestOf] = [await addUnnoticedDelivery(), await addGuestToErase()]
  await service.db.query('alter table booking_guest rename to booking_guest_away')
  const run = await service.client.workflow.start('sweep', {
    taskQueue: BOOKINGS_QUEUE,
    workflowId: `sweep-${randomUUID()}`,
    args: [{ count: 2, seconds: 20 }],
  })
  await eventually('the first round', () => isRunning(endpointWorkflowId(endpointId)))
  await service.db.query('alter table booking_guest_away rename to booking_guest')
  expect(Object.values(await run.result())).not.toContain(null)
  expect(await isErased(guestOf)).toBe(true)
})
