import type { ServerResponse } from 'node:http'
import { expect } from 'vitest'
import { openAgent } from '../support/agent.ts'
import { openTestClock, slotAfter, subscribe } from '../support/clocks.ts'
import type { Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { test } from '../support/service.ts'

let service: Service

test.beforeAll(async ({ service: shared }) => {
  service = shared
})

test('a clock that waits for a slow receiver does not stop the others', async () => {
  const { agent, db, url } = service
  const slow = await openTestClock(service)
  const sibling = await openTestClock(service)
  const stranger = await openTestClock({ url, agent: await openAgent(db, url, 'free') })
  const { receiver } = await subscribe(slow.agent)
  const held: ServerResponse[] = []
  receiver.answer = (response) => held.push(response)
  for (const clock of [slow, sibling, stranger]) {
    const { body } = await clock.agent.post('/api/bookings', {
      ...slotAfter('sandbox-instant', 3, Date.now()),
    })
    expect(body.status).toBe('confirmed')
  }
  expect((await slow.advance({ by: 'P1W' }, 0)).status).toBe('pending')
  await eventually('a delivery to be slow', async () => held.length > 0)

  const others = await Promise.all([sibling, stranger].map((clock) => clock.advance({ by: 'P1W' })))
  expect(others.map(({ status }) => status)).toEqual(['ready', 'ready'])
  const stateOfSlow = async () => {
    const { body } = await agent.get(`/api/test_clocks/${slow.id}`)
    return body.test_clock.status
  }
  expect(await stateOfSlow()).toBe('advancing')

  receiver.answer = (response) => response.writeHead(204).end()
  for (const response of held) response.writeHead(204).end()
  await eventually('the slow clock to arrive', async () => (await stateOfSlow()) === 'ready')
  await receiver.close()
})
