import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { findSlot } from '../support/agent.ts'
import { type CrashSite, openCrashSite } from '../support/crash-site.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'

let site: CrashSite

beforeAll(async () => {
  site = await openCrashSite()
})
afterAll(() => site?.close())

test('an overdue hold whose workflow was terminated ends once there is a worker', async () => {
  const { agent, network } = site
  const first = await site.startWorker()
  const slot = await findSlot(agent, 'restaurant')
  const once = () => ({ 'idempotency-key': randomUUID() })
  const { body } = await agent.post('/api/holds', slot, once())
  const { id } = body.booking
  await first.end('SIGKILL')
  await network.client.workflow.getHandle(bookingWorkflowId(id)).terminate('operator')
  await network.db.query(
    `update booking set hold_until = hold_until - interval '1 hour',
       next_action_at = next_action_at - interval '1 hour' where id = $1`,
    [id],
  )
  await site.startWorker()
  await eventually('the hold to end', async () => {
    const now = await traces(network.db, id)
    return now.booking[0]?.status === 'expired'
  })
  const left = await traces(network.db, id)
  expect(left).toMatchObject({ fees: [], events: ['booking.held', 'booking.expired'] })
  expect(left.allocations.every(({ active }: { active: boolean }) => !active)).toBe(true)
  const late = await agent.post('/api/bookings', { hold_id: id }, once())
  expect(late).toMatchObject({ status: 409, body: { code: 'hold_expired' } })
  const booked = await agent.post('/api/bookings', slot, once())
  expect(booked).toMatchObject({ status: 201, body: { status: 'confirmed' } })
})
