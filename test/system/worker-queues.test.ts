import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi } from '../../src/compose/start-api.ts'
import { startWorker } from '../../src/compose/start-worker.ts'
import { readRunConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { type Agent, findSlot, openAgent } from '../support/agent.ts'
import { putEvents } from '../support/endpoints.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { openReceiver } from '../support/receiver.ts'
import { openSender, type Sender } from '../support/sender.ts'

const log = createLog('silent')
let network: Network
let sender: Sender
let api: Awaited<ReturnType<typeof startApi>>
let agent: Agent

beforeAll(async () => {
  network = await openNetwork()
  sender = openSender(network)
  api = await startApi(network.config, log)
  agent = await openAgent(network.db, api.url)
})
afterAll(async () => {
  await api?.stop()
  await network?.close()
})

const serve = (WORKER_QUEUES: string) =>
  startWorker(readRunConfig({ ...network.env, WORKER_QUEUES }), log)

test('workers share the queues: one confirms bookings, the other one delivers', async () => {
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  const bookings = await serve('bookings,venues')
  const { body } = await agent.post('/api/bookings', await findSlot(agent, 'restaurant'))
  expect(body.status).toBe('confirmed')
  await putEvents(network.db, endpoint.accountId, 5)
  await sender.until(endpoint, { pending: 5 })
  expect(receiver.received).toHaveLength(0)

  const webhooks = await serve('webhooks')
  await sender.until(endpoint, { delivered: 5 })
  expect(receiver.received).toHaveLength(5)
  await bookings.stop()
  await putEvents(network.db, endpoint.accountId, 5)
  await sender.until(endpoint, { delivered: 10 })
  await webhooks.stop()
  await receiver.close()
})

test('an unknown queue is named', () => {
  expect(() => readRunConfig({ ...network.env, WORKER_QUEUES: 'bookings,mails' })).toThrow(
    'WORKER_QUEUES',
  )
})
