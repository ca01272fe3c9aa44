import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { addSearchAttributes } from '../../src/platform/temporal/namespace.ts'
import { installQuietRuntime } from '../../src/platform/temporal/workers.ts'
import { workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import { testActivities } from '../support/activities.ts'
import { createDatabase } from '../support/database.ts'
import { bundleFolder } from '../support/programs.ts'
import { recordHistory } from '../support/record-histories.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { startTimeSkipping, timeSkippingServer } from '../support/time-skipping.ts'
import { traces } from '../support/traces.ts'

installQuietRuntime()

const server = timeSkippingServer()
const without = 'reason' in server ? ` (skipped: ${server.reason})` : ''

describe.skipIf('reason' in server)(`a booking over days, with time skipping${without}`, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let db: Pool
  let env: TestWorkflowEnvironment
  let worker: Worker
  let running: Promise<void>

  beforeAll(async () => {
    if ('reason' in server) return
    database = await createDatabase()
    db = openPool(database.url, 5, () => {})
    env = await startTimeSkipping(server.path)
    await addSearchAttributes(env.client)
    worker = await Worker.create({
      connection: env.nativeConnection,
      taskQueue: BOOKINGS_QUEUE,
      workflowBundle: await workflowBundle(bundleFolder),
      activities: await testActivities(db, env.client),
    })
    running = worker.run()
  })

  afterAll(async () => {
    worker?.shutdown()
    await running
    await env?.teardown()
    await db?.end()
    await database?.drop()
  })

  const now = async () => new Date(await env.currentTimeMs())

  const run = async (start: BookingStart) => {
    const booking = await env.client.workflow.start('booking', {
      workflowId: bookingWorkflowId(start.bookingId),
      taskQueue: BOOKINGS_QUEUE,
      args: [start],
    })
    const status = await booking.result()
    await recordHistory(booking, `booking.${status}.in-skipped-time`)
    return status
  }

  test('an unconfirmed hold ends after its five minutes, and its slot is free', async () => {
    const start = await requestDaysAhead(db, { purpose: 'hold', at: await now() })
    expect(await run(start)).toBe('expired')
    const left = await traces(db, start.bookingId)
    expect(left.booking).toMatchObject([{ status: 'expired', reason_code: 'hold_expired' }])
    expect(left.steps).toEqual(['hold', 'hold_until'])
    expect(left.events).toEqual(['booking.held', 'booking.expired'])
    expect(left.fees).toEqual([])
    expect(left.allocations.every(({ active }) => !active)).toBe(true)
    const { rows } = await db.query(
      `select updated_at >= hold_until as after_its_time, live from booking b
       join hold_counter using (account_id) where b.id = $1`,
      [start.bookingId],
    )
    expect(rows).toEqual([{ after_its_time: true, live: 0 }])
  })

  test('reminds a day and two hours before its slot, then completes after the grace', async () => {
    const start = await requestDaysAhead(db, { at: await now() })
    expect(await run(start)).toBe('completed')
    const left = await traces(db, start.bookingId)
    expect(left.booking).toMatchObject([{ status: 'completed', live: false, revision: 3 }])
    expect(left.events).toEqual([
      'booking.held',
      'booking.confirmed',
      'fee.accrued',
      'booking.reminder',
      'booking.reminder',
      'booking.completed',
    ])
    expect(left.allocations.every(({ active }) => !active)).toBe(true)
    const { rows } = await db.query(
      `select extract(epoch from updated_at - ends_at)::int / 60 between 15 and 45 as in_time,
         (select natural_key is null from request r where r.booking_id = b.id) as can_be_repeated
       from booking b where id = $1`,
      [start.bookingId],
    )
    expect(rows).toEqual([{ in_time: true, can_be_repeated: true }])
  })
})
