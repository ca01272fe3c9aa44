import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { type AskedSlot, findSlots } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { staffAllDay } from '../support/venue-people.ts'

const SECONDS_TO_ANSWER = 5
let service: Service

beforeAll(async () => {
  service = await openService({ REQUEST_ANSWER_MINUTES: String(SECONDS_TO_ANSWER / 60) })
  await staffAllDay(service.db, 'restaurant')
})
afterAll(() => service?.close())

test('a caller is told when staff never respond, and the workflow ends', async () => {
  const [slot] = (await findSlots(service.agent, 'restaurant in Bali', 1, 2)) as [AskedSlot]
  const key = { 'idempotency-key': randomUUID() }
  const refused = await service.agent.post('/api/bookings', { ...slot, wait: 60 }, key)
  expect(refused).toMatchObject({ status: 409, body: { code: 'venue_no_answer' } })
  const handle = service.client.workflow.getHandle(bookingWorkflowId(refused.body.booking_id))
  await eventually('its workflow to end', async () => {
    const { status } = await handle.describe()
    return status.name === 'COMPLETED'
  })
})
