import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { choosePort } from '../../src/local/ports.ts'
import { type Agent, agentWith, findSlot, openAgent } from '../support/agent.ts'
import { afterCommit, beforeCommit } from '../support/crash-site.ts'
import { untilQuiet } from '../support/lock-waits.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { eventually, type Program, startProgram } from '../support/programs.ts'
import { openDatabaseProxy, openTcpProxy } from '../support/tcp-proxy.ts'
import { traces } from '../support/traces.ts'

// The process that takes a request decides it once the workflow is durable, and answers at its
// commit, before the workflow has had a task. The process is killed before that commit, before the
// answer and after it.

let network: Network
let agent: Agent
const services: Program[] = []

beforeAll(async () => {
  network = await openNetwork()
  const url = `http://127.0.0.1:${network.config.PORT}`
  agent = await openAgent(network.db, url)
})
afterEach(async () => {
  for (const service of services.splice(0)) await service.end('SIGKILL')
})
afterAll(() => network?.close())

/** A service on its own port, and the agent as its caller. */
async function startService(overrides: Record<string, string> = {}) {
  const PORT = String(await choosePort())
  const service = startProgram('src/dev.ts', { ...network.env, PORT, ...overrides })
  services.push(service)
  await service.prints('the service is ready')
  return { service, caller: agentWith(`http://127.0.0.1:${PORT}`, agent.accountId, agent.key) }
}

const confirmedOnce = {
  booking: [{ status: 'confirmed', revision: 2, fee_status: 'accrued' }],
  steps: ['hold', 'confirm'],
  fees: [{ kind: 'accrual' }],
  events: ['booking.held', 'booking.confirmed', 'fee.accrued'],
}

/** Expects the next service to have the booking confirmed once, as its workflow shows. */
async function expectFinished(slot: Record<string, unknown>, key: string) {
  const { caller } = await startService()
  const again = await caller.post('/api/bookings', slot, { 'idempotency-key': key })
  expect(again).toMatchObject({ status: 200, body: { status: 'confirmed', replayed: true } })
  const { id } = again.body.booking
  expect(await traces(network.db, id)).toMatchObject(confirmedOnce)
  await eventually('the workflow', async () => {
    const { status, searchAttributes } = await network.client.workflow
      .getHandle(bookingWorkflowId(id))
      .describe()
    return status.name === 'RUNNING' && searchAttributes.BookingStatus?.[0] === 'confirmed'
  })
  return again.body.booking
}

test.each([
  ['before its commit', beforeCommit(1), []],
  ['between its commit and the answer', afterCommit(1), ['hold', 'confirm']],
])('a service killed %s has booked exactly once', async (_when, at, steps) => {
  const proxy = await openDatabaseProxy(network.config.DATABASE_URL)
  const { service, caller } = await startService({ DATABASE_URL: proxy.url })
  const slot = await findSlot(caller, 'restaurant')
  const key = randomUUID()
  const reached = proxy.freezeAt(at)
  const unanswered = caller
    .post('/api/bookings', slot, { 'idempotency-key': key })
    .catch(() => 'cut')
  await reached
  await service.end('SIGKILL')
  expect(await unanswered).toBe('cut')
  await proxy.close()
  await untilQuiet(network.db)
  const { rows } = await network.db.query('select subject_id from idempotency_key where key = $1', [
    key,
  ])
  expect((await traces(network.db, rows[0].subject_id)).steps).toEqual(steps)
  await expectFinished(slot, key)
})

test('a service killed after the answer finishes its workflow’s task later', async () => {
  const [host = '', port] = network.config.TEMPORAL_ADDRESS.split(':')
  const proxy = await openTcpProxy(host, Number(port))
  const { service, caller } = await startService({ TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}` })
  const slot = await findSlot(caller, 'restaurant')
  const key = randomUUID()
  // The marker of the deciding local activity, in the completion of the workflow task.
  const reached = proxy.freezeAt({
    direction: 'request',
    text: 'core_local_activity',
    occurrence: 1,
  })
  const answer = await caller.post('/api/bookings', slot, { 'idempotency-key': key })
  expect(answer).toMatchObject({ status: 201, body: { status: 'confirmed' } })
  await reached
  await service.end('SIGKILL')
  await proxy.close()
  // The next service has another address.
  const guest_url = expect.any(String)
  expect(await expectFinished(slot, key)).toEqual({ ...answer.body.booking, guest_url })
})
