import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { findSlot, openAgent } from '../support/agent.ts'
import { putEvent } from '../support/endpoints.ts'
import { detailsOf, listed, summariesOf } from '../support/histories.ts'
import { eventually } from '../support/programs.ts'
import { answers, openReceiver } from '../support/receiver.ts'
import { recordHistory } from '../support/record-histories.ts'
import { openSender } from '../support/sender.ts'
import { test } from '../support/service.ts'

test(`operators find a delivery in trouble by booking and event,
      and see its outcome and its next attempt`, async ({ service }) => {
  const { client, db, url } = service
  const sender = openSender(service)
  const agent = await openAgent(db, url)
  const receiver = await openReceiver(answers(500, {}, 'no'))
  const types = ['booking.confirmed', 'venue.*']
  const { accountId } = agent
  const endpoint = await sender.make({ url: receiver.url, accountId, eventTypes: types })
  const workflowId = `webhook/${endpoint.endpointId}`
  await sender.tell(endpoint)
  await eventually('the first batch', async () =>
    (await detailsOf(client, workflowId)).includes('Everything is delivered.'),
  )
  const slot = await findSlot(agent, 'restaurant in Sanur')
  const booked = await agent.post('/api/bookings', slot, { 'idempotency-key': randomUUID() })
  const bookingId = booked.body.booking.id
  await eventually('a failed attempt', async () => receiver.received.length > 0)
  const [request] = receiver.received
  const { rows } = await db.query('select number from event where id = $1', [request?.body.id])
  const name = `booking.confirmed #${rows[0].number}`

  const inList = (query: string) => listed(client, `AccountId = '${accountId}' and ${query}`)
  for (const query of [
    `EndpointStatus = 'failing'`,
    `EndpointHost = '${new URL(receiver.url).host}'`,
    `FailingBookings = '${bookingId}'`,
    `FailingEvents = '${request?.body.id}'`,
  ]) {
    await eventually(query, async () => (await inList(query)).includes(workflowId))
  }
  const texts = async (type: string) =>
    (await summariesOf(client, workflowId))
      .filter((one) => one.type === type)
      .map((one) => one.text)
  expect(await texts('activity')).toContain(`news of ${name}`)
  expect(await texts('timer')).toContainEqual(
    expect.stringMatching(new RegExp(`^${name} → HTTP 500, next \\d\\d:\\d\\d$`)),
  )
  await eventually('its second attempt', async () =>
    (await texts('activity')).includes(`retry ${name}`),
  )
  await eventually('both in the details', async () => {
    const details = await detailsOf(client, workflowId)
    return (
      details.includes(`at \`${new URL(receiver.url).host}\``) &&
      new RegExp(`${name} → HTTP 500, next .*booking \`${bookingId}\``).test(details) &&
      new RegExp(`\\d\\d:\\d\\d:\\d\\d ${name} → HTTP 500, \\d+ ms`).test(details)
    )
  })

  receiver.answer = answers(204)
  const { rows: deliveries } = await db.query('select id from delivery where endpoint_id = $1', [
    endpoint.endpointId,
  ])
  await sender.retry(endpoint, deliveries[0].id)
  await sender.until(endpoint, { delivered: 1 })
  await eventually('it listed as active', async () =>
    (await inList(`EndpointStatus = 'active'`)).includes(workflowId),
  )
  await eventually(
    'nothing in trouble',
    async () => (await inList(`FailingBookings = '${bookingId}'`)).length === 0,
  )
  await putEvent(db, accountId)
  await sender.until(endpoint, { delivered: 2 })
  await eventually('the outcome', async () =>
    /venue\.availability_opened #\d+ → HTTP 204/.test(await detailsOf(client, workflowId)),
  )
  await recordHistory(sender.handle(endpoint), 'webhook-delivery.failing-and-recovered')
  await receiver.close()
})
