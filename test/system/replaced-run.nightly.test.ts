import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import { selectBookingStart } from '../../src/bookings/store/booking-starts.ts'
import { createEngine } from '../../src/compose/engine.ts'
import { findSlot } from '../support/agent.ts'
import { type CrashSite, openCrashSite } from '../support/crash-site.ts'
import { eventually } from '../support/programs.ts'

let site: CrashSite

beforeAll(async () => {
  site = await openCrashSite()
})
afterAll(() => site.close())

test('a booking whose run cannot continue gets a new one, and is confirmed', async () => {
  const { agent, network } = site
  const { client, db } = network
  const engine = createEngine(client)
  const slot = await findSlot(agent, 'dinner')
  const { body } = await agent.post('/api/bookings', { ...slot, wait: 0 })
  // Without a worker, nothing is answered within the wait.
  const bookingId = body.booking?.id ?? body.booking_id
  const workflowId = bookingWorkflowId(bookingId)
  const start = await selectBookingStart(db, bookingId)
  expect(await engine.resume(start)).toBe(false)

  // Every task of this run fails, like those of a run that cannot be replayed.
  await client.workflow.getHandle(workflowId).terminate()
  await client.workflow.start('noSuchWorkflow', { workflowId, taskQueue: BOOKINGS_QUEUE })
  await site.startWorker()
  const run = () => client.workflow.getHandle(workflowId).describe()
  await eventually('its tasks to fail', async () => {
    const { raw } = await run()
    return (raw.pendingWorkflowTask?.attempt ?? 0) > 3
  })
  expect(await engine.resume(start)).toBe('replaced')
  expect(await site.outcomeOf(start.bookingId)).toMatchObject({ status: 'confirmed' })
  expect((await run()).type).toBe('booking')
  expect(await engine.resume(start)).toBe(false)
})
