import { expect } from 'vitest'
import { actionsOf } from '../support/actions.ts'
import { findSlot } from '../support/agent.ts'
import { openReceiver } from '../support/receiver.ts'
import { untilIdle } from '../support/runs.ts'
import { openSender } from '../support/sender.ts'
import { test } from '../support/service.ts'

test('the opening of a booking wakes an endpoint once, for all of its events', async ({
  service,
}) => {
  const receiver = await openReceiver()
  const sender = openSender(service)
  const endpoint = await sender.make({
    accountId: service.agent.accountId,
    url: receiver.url,
    eventTypes: ['booking.*', 'fee.*'],
  })
  const slot = await findSlot(service.agent, 'restaurant')
  expect(await service.agent.post('/api/bookings', slot)).toMatchObject({ status: 201 })
  await sender.until(endpoint, { delivered: 3 })
  const run = sender.handle(endpoint)
  await untilIdle(run)
  const { signal, activity } = await actionsOf(service.client, run.workflowId)
  expect({ signal, activity }).toEqual({ signal: 1, activity: 1 })
  await receiver.close()
})
