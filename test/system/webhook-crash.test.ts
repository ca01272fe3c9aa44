import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../src/platform/database/sql.ts'
import { attemptsOf, deliveriesOf, putEvents } from '../support/endpoints.ts'
import { untilQuiet } from '../support/lock-waits.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { expectNothingLost, startSendingWorker } from '../support/outages.ts'
import { eventually } from '../support/programs.ts'
import { answers, openReceiver } from '../support/receiver.ts'
import { openSender, type Sender } from '../support/sender.ts'

let network: Network
let sender: Sender

beforeAll(async () => {
  network = await openNetwork({}, { isScheduled: true })
  sender = openSender(network)
})
afterAll(() => network?.close())

const startWorker = () => startSendingWorker(network)

test('killed in a batch: events arrive, those in flight after an unknown attempt', async () => {
  const waiting = new Set<() => void>()
  const receiver = await openReceiver((response, _, nth) => {
    if (nth <= 20) response.writeHead(204).end()
    else waiting.add(() => response.destroy())
  })
  const endpoint = await sender.make({ url: receiver.url })
  const worker = await startWorker()
  const ids = await putEvents(network.db, endpoint.accountId, 60)
  await eventually('requests that nobody answers', async () => {
    const { sending = 0 } = await deliveriesOf(network.db, endpoint)
    return receiver.received.length > 25 && sending === waiting.size
  })
  await worker.end('SIGKILL')
  for (const end of waiting) end()
  receiver.answer = answers(204)
  await untilQuiet(network.db)
  const open = await attemptsOf(network.db, endpoint)
  // More attempts than waiting requests, if some were sent just before the process ended.
  const inFlight = open.filter(({ status }) => status === 'sending').length
  expect(inFlight).toBeGreaterThan(5)

  const next = await startWorker()
  await sender.until(endpoint, { delivered: 60 })
  await expectNothingLost(network, endpoint, 60)
  expect(new Set(receiver.ids())).toEqual(new Set(ids))
  const attempts = await attemptsOf(network.db, endpoint)
  expect(attempts.filter(({ status }) => status === 'unknown')).toHaveLength(inFlight)
  expect(receiver.received.length).toBeLessThanOrEqual(60 + inFlight)
  const repeated = receiver.ids().filter((id, index, all) => all.indexOf(id) !== index)
  expect(new Set(repeated).size).toBe(repeated.length)
  await next.end('SIGKILL')
  await receiver.close()
})

nightly('the sweep finds events of which no workflow was notified', async () => {
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  const worker = await startWorker()
  // Written by a process whose signals to Temporal are lost: no workflow is notified.
  const mute = openPool(network.config.DATABASE_URL, 1, () => {})
  await putEvents(mute, endpoint.accountId, 25)
  await mute.end()
  await sender.until(endpoint, { delivered: 25 })
  expect(receiver.received).toHaveLength(25)
  await worker.end('SIGKILL')
  await receiver.close()
})
