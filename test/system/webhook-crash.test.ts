import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openPool } from '../../src/platform/database/sql.ts'
import { attemptsOf, deliveriesOf, type MadeEndpoint, putEvents } from '../support/endpoints.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { eventually, startProgram } from '../support/programs.ts'
import { answers, openReceiver } from '../support/receiver.ts'
import { openSender, type Sender } from '../support/sender.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'

let network: Network
let sender: Sender

beforeAll(async () => {
  network = await openNetwork()
  sender = openSender(network)
})
afterAll(() => network?.close())

const startWorker = async (env: Record<string, string> = {}) => {
  const worker = startProgram('src/worker.ts', { ...network.env, ...env })
  await worker.prints('the worker takes bookings')
  return worker
}

/** Every enqueued event has a delivery, and the delivered ones are numbered without gaps. */
async function expectNothingLost(endpoint: MadeEndpoint, accepted: number) {
  const counts = await deliveriesOf(network.db, endpoint)
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(accepted)
  const { rows } = await network.db.query(
    `select count(*)::int as numbered, coalesce(max(sequence), 0)::int as last,
       count(distinct sequence)::int as different
     from delivery where endpoint_id = $1 and sequence is not null`,
    [endpoint.endpointId],
  )
  const [{ numbered, last, different }] = rows
  expect([different, last]).toEqual([numbered, numbered])
}

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
  const open = await attemptsOf(network.db, endpoint)
  // More than were waiting, if some were sent just before the end.
  const inFlight = open.filter(({ status }) => status === 'sending').length
  expect(inFlight).toBeGreaterThan(5)

  const next = await startWorker()
  await sender.until(endpoint, { delivered: 60 })
  await expectNothingLost(endpoint, 60)
  expect(new Set(receiver.ids())).toEqual(new Set(ids))
  const attempts = await attemptsOf(network.db, endpoint)
  expect(attempts.filter(({ status }) => status === 'unknown')).toHaveLength(inFlight)
  expect(receiver.received.length).toBeLessThanOrEqual(60 + inFlight)
  const repeated = receiver.ids().filter((id, index, all) => all.indexOf(id) !== index)
  expect(new Set(repeated).size).toBe(repeated.length)
  await next.end('SIGKILL')
  await receiver.close()
})

test('after a database outage under load, every accepted event arrives', async () => {
  const waiting = new Set<() => void>()
  const receiver = await openReceiver((response, _, nth) => {
    const end = () => response.writeHead(204).end()
    if (nth <= 100) end()
    else waiting.add(end)
  })
  const endpoint = await sender.make({ url: receiver.url })
  const worker = await startWorker()
  await putEvents(network.db, endpoint.accountId, 600)
  await eventually('some of it', async () => receiver.received.length > 50)
  const name = new URL(network.config.DATABASE_URL).pathname.slice(1)
  const admin = openPool(inject('databaseUrl'), 1, () => {})
  const closed = performance.now()
  await admin.query(`alter database ${name} with allow_connections false`)
  receiver.answer = answers(204)
  for (const end of waiting) end()
  while (performance.now() - closed < 12_000) {
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      name,
    ])
    await new Promise((resume) => setTimeout(resume, 200))
  }
  expect(receiver.received.length).toBeLessThan(600)
  await admin.query(`alter database ${name} with allow_connections true`)
  await admin.end()
  await expectNothingLost(endpoint, 600)
  const more = await putEvents(network.db, endpoint.accountId, 100)
  await sender.until(endpoint, { delivered: 700 })
  await expectNothingLost(endpoint, 700)
  expect(receiver.ids()).toEqual(expect.arrayContaining(more))
  await worker.end('SIGKILL')
  await receiver.close()
})

test('after a minute without Temporal under load, every accepted event arrives', async () => {
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  const [host = '', port] = network.config.TEMPORAL_ADDRESS.split(':')
  const wire = await openTcpProxy(host, Number(port))
  const worker = await startWorker({ TEMPORAL_ADDRESS: `127.0.0.1:${wire.port}` })
  await putEvents(network.db, endpoint.accountId, 600)
  await eventually('some of it', async () => receiver.received.length > 50)
  await wire.close()
  const cut = performance.now()
  let accepted = 600
  while (performance.now() - cut < 60_000) {
    await putEvents(network.db, endpoint.accountId, 10)
    accepted += 10
    await expectNothingLost(endpoint, accepted)
    await new Promise((resume) => setTimeout(resume, 1_000))
  }
  expect((await deliveriesOf(network.db, endpoint)).pending).toBeGreaterThan(0)
  const mended = await openTcpProxy(host, Number(port), wire.port)
  await sender.until(endpoint, { delivered: accepted })
  await expectNothingLost(endpoint, accepted)
  expect(new Set(receiver.ids()).size).toBe(accepted)
  await worker.end('SIGKILL')
  await mended.close()
  await receiver.close()
}, 300_000)

test('the sweep finds events of which no workflow was notified', async () => {
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
