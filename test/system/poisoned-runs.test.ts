import { WorkflowNotFoundError } from '@temporalio/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { BOOKINGS_QUEUE, WEBHOOKS_QUEUE } from '../../src/base/task-queues.ts'
import { endpointWorkflowId } from '../../src/webhooks/rules/endpoint-messages.ts'
import { findSlot, findSlots } from '../support/agent.ts'
import { openTestClock } from '../support/clocks.ts'
import { putEvents } from '../support/endpoints.ts'
import { fillSlot } from '../support/full-slot.ts'
import { openService, type Service } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { openReceiver } from '../support/receiver.ts'
import { openSender } from '../support/sender.ts'
import { answer, linkTo, staffAllDay } from '../support/venue-people.ts'

// A run that cannot continue is replaced within two minutes. Every task of these runs fails, as
// after a bad release that cannot replay them.

const TWO_MINUTES_MS = 120_000

let service: Service

beforeAll(async () => {
  service = await openService({}, { isScheduled: true })
  await staffAllDay(service.db, 'restaurant')
})
afterAll(() => service?.close())

async function poison(workflowId: string, taskQueue: string = BOOKINGS_QUEUE): Promise<void> {
  const { workflow } = service.client
  await workflow
    .getHandle(workflowId)
    .terminate()
    .catch((error) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error
    })
  await workflow.start('noSuchWorkflow', { workflowId, taskQueue })
}

const typeOf = async (workflowId: string) =>
  (await service.client.workflow.getHandle(workflowId).describe()).type

const becomes = (workflowId: string, type: string) =>
  eventually(`a run of ${type}`, async () => (await typeOf(workflowId)) === type, TWO_MINUTES_MS)

/** How many workflows of a type were replaced, as operators see it. */
const replaced = async (type: string): Promise<number> => {
  const text = (await service.metrics?.text()) ?? ''
  const labels = String.raw`\{workflow="${type}",how="replaced"[^}]*\}`
  return Number(new RegExp(`sweep_resumed_workflows_total${labels} (\\d+)`).exec(text)?.[1])
}

nightly.concurrent('a group’s run that cannot continue is replaced, which is counted', async () => {
  const { agent, db } = service
  const parts = [
    ...(await findSlots(agent, 'gym in Bali', 1)),
    ...(await findSlots(agent, 'restaurant in Bali', 1)),
  ]
  const { body } = await agent.post('/api/itineraries', { parts, wait: 0 })
  const { id } = body.itinerary
  const itinerary = async () => (await agent.get(`/api/itineraries/${id}`)).body.itinerary
  const asked = await eventually('the people to be asked', async () => {
    const now = await itinerary()
    const { rows } = await db.query('select answer_by from booking where id = $1 and status = $2', [
      ...[now.parts[1].booking_id, 'pending'],
    ])
    return now.status === 'asking' && rows[0]?.answer_by && now
  })
  await poison(`itinerary/${id}`)
  await becomes(`itinerary/${id}`, 'itinerary')
  expect(await replaced('itinerary')).toBeGreaterThanOrEqual(1)
  const page = await linkTo(service, parts[1]?.venue_id ?? '')
  await answer(`${page}/bookings/${asked.parts[1].booking_id}`, 'confirmed')
  await eventually('the group to end', async () => (await itinerary()).status === 'confirmed')
})

test.concurrent('a command to a booking whose run cannot continue is answered', async () => {
  const { agent } = service
  const { body } = await agent.post('/api/bookings', await findSlot(agent, 'spa'))
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

test.concurrent('an endpoint whose run cannot continue gets its deliveries', async () => {
  const receiver = await openReceiver()
  const sender = openSender(service)
  const endpoint = await sender.make({ url: receiver.url })
  await poison(endpointWorkflowId(endpoint.endpointId), WEBHOOKS_QUEUE)
  await putEvents(service.db, endpoint.accountId, 5)
  await eventually('the deliveries', async () => receiver.received.length === 5, TWO_MINUTES_MS)
  await receiver.close()
})

nightly.concurrent('a test clock whose run cannot continue reaches its target', async () => {
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

nightly.concurrent(
  'a watch whose run cannot continue gets a new one, with nothing due',
  async () => {
    const full = await fillSlot(service.db, { category: 'gym', partySize: 2 })
    const { venueId: venue_id, slotTime: slot_time } = full.slot
    const { body } = await service.agent.post('/api/watches', {
      venue_id,
      slot_time,
      party_size: 2,
    })
    const workflowId = `waitlist/${body.watch.id}`
    await poison(workflowId)
    await becomes(workflowId, 'waitlistEntry')
  },
)

test.concurrent('a terminated workflow gets a new run, although nothing is due', async () => {
  const { agent, client } = service
  const { body } = await agent.post('/api/bookings', await findSlot(agent, 'gym'))
  const [receiver, sender] = [await openReceiver(), openSender(service)]
  const endpoint = await sender.make({ url: receiver.url })
  await putEvents(service.db, endpoint.accountId, 1)
  await sender.until(endpoint, { delivered: 1 })
  const runs = [bookingWorkflowId(body.booking.id), endpointWorkflowId(endpoint.endpointId)]
  for (const workflowId of runs) {
    await client.workflow.getHandle(workflowId).terminate('by mistake')
    await eventually(
      `another run of ${workflowId}`,
      async () =>
        (await client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING',
      TWO_MINUTES_MS,
    )
  }
  // A finished booking needs no replacement.
  await agent.post(`/api/bookings/${body.booking.id}/cancel`, {})
  const over = client.workflow.getHandle(bookingWorkflowId(body.booking.id))
  expect(await over.result()).toBe('cancelled')
  await receiver.close()
})
