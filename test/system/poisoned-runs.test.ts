import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/contract/rules/ids.ts'
import { BOOKINGS_QUEUE, WEBHOOKS_QUEUE } from '../../src/contract/rules/task-queues.ts'
import { endpointWorkflowId } from '../../src/webhooks/rules/endpoint-messages.ts'
import { findSlot } from '../support/agent.ts'
import { openTestClock } from '../support/clocks.ts'
import { putEvents } from '../support/endpoints.ts'
import { fillSlot } from '../support/full-slot.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { openReceiver } from '../support/receiver.ts'
import { openSender } from '../support/sender.ts'

// What cannot go on is replaced within two minutes. Every task of these runs fails, as do those of
// one that cannot be replayed after a bad release.

const TWO_MINUTES_MS = 120_000

let service: Service

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service?.close())

async function poison(workflowId: string, taskQueue: string = BOOKINGS_QUEUE): Promise<void> {
  const { workflow } = service.client
  await workflow
    .getHandle(workflowId)
    .terminate()
    .catch(() => {})
  await workflow.start('noSuchWorkflow', { workflowId, taskQueue })
}

const typeOf = async (workflowId: string) =>
  (await service.client.workflow.getHandle(workflowId).describe()).type

const becomes = (workflowId: string, type: string) =>
  eventually(`a run of ${type}`, async () => (await typeOf(workflowId)) === type, TWO_MINUTES_MS)

test.concurrent('a command to a booking whose run cannot go on is answered', async () => {
  const { agent } = service
  const { body } = await agent.post('/api/bookings', await findSlot(agent, 'restaurant'))
  const { id } = body.booking
  await poison(bookingWorkflowId(id))
  const answer = await agent.post(`/api/bookings/${id}/cancel`, { wait: 0 })
  expect(answer.body.status).toBe('pending')
  await eventually(
    'the cancellation',
    async () => (await agent.get(`/api/bookings/${id}`)).body.booking.status === 'cancelled',
    TWO_MINUTES_MS,
  )
})

test.concurrent('an endpoint whose run cannot go on gets its deliveries', async () => {
  const receiver = await openReceiver()
  const sender = openSender(service)
  const endpoint = await sender.make({ url: receiver.url })
  await poison(endpointWorkflowId(endpoint.endpointId), WEBHOOKS_QUEUE)
  await putEvents(service.db, endpoint.accountId, 5)
  await eventually('the deliveries', async () => receiver.received.length === 5, TWO_MINUTES_MS)
  await receiver.close()
})

test.concurrent('a test clock whose run cannot go on arrives', async () => {
  const clock = await openTestClock(service)
  await poison(`test-clock/${clock.id}`)
  expect(await clock.advance({ by: 'PT1H' }, 0)).toMatchObject({ status: 'pending' })
  await eventually(
    'the clock to arrive',
    async () =>
      (await clock.agent.get(`/api/test_clocks/${clock.id}`)).body.test_clock.status === 'ready',
    TWO_MINUTES_MS,
  )
})

test.concurrent('a watch whose run cannot go on gets another, though nothing is due', async () => {
  const full = await fillSlot(service.db, { category: 'gym', partySize: 2 })
  const { venueId: venue_id, slotTime: slot_time } = full.slot
  const { body } = await service.agent.post('/api/watches', { venue_id, slot_time, party_size: 2 })
  const workflowId = `waitlist/${body.watch.id}`
  await poison(workflowId)
  await becomes(workflowId, 'waitlistEntry')
})
