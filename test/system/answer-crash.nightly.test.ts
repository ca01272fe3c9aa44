import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { choosePort } from '../../src/local/ports.ts'
import { type Agent, agentWith, findSlot, openAgent } from '../support/agent.ts'
import { afterCommit } from '../support/crash-site.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { eventually, type Program, startProgram } from '../support/programs.ts'
import { openDatabaseProxy, openTcpProxy } from '../support/tcp-proxy.ts'
import { traces } from '../support/traces.ts'
import { connectVenue, openSimulator } from '../support/venues.ts'

// Doors and worker share a process, as with `npm start`. Callers are answered once the deciding
// transaction has committed, even if Temporal does not know yet that the workflow task is done. The
// process is killed before and after that answer.

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

const byNetwork = {
  booking: [{ status: 'confirmed', revision: 2, fee_status: 'accrued' }],
  steps: ['hold', 'confirm'],
  fees: [{ kind: 'accrual' }],
  events: ['booking.held', 'booking.confirmed', 'fee.accrued'],
}
const byVenue = {
  ...byNetwork,
  booking: [{ status: 'confirmed', revision: 3, fee_status: 'accrued' }],
  steps: ['hold', 'ask', 'venue'],
  events: ['booking.held', 'booking.pending', 'booking.confirmed', 'fee.accrued'],
}

/** Expects the next service to have the booking confirmed once, as its workflow shows. */
async function expectFinished(slot: Record<string, unknown>, key: string, expected = byNetwork) {
  const { caller } = await startService()
  const again = await caller.post('/api/bookings', slot, { 'idempotency-key': key })
  expect(again).toMatchObject({ status: 200, body: { status: 'confirmed', replayed: true } })
  const { id } = again.body.booking
  expect(await traces(network.db, id)).toMatchObject(expected)
  await eventually('the workflow', async () => {
    const { status, searchAttributes } = await network.client.workflow
      .getHandle(bookingWorkflowId(id))
      .describe()
    return status.name === 'RUNNING' && searchAttributes.BookingStatus?.[0] === 'confirmed'
  })
  return again.body.booking
}

test('a service killed between the commit and the answer has booked exactly once', async () => {
  const proxy = await openDatabaseProxy(network.config.DATABASE_URL)
  const { service, caller } = await startService({ DATABASE_URL: proxy.url })
  const slot = await findSlot(caller, 'restaurant')
  const key = randomUUID()
  const reached = proxy.freezeAt(afterCommit(1))
  const unanswered = caller
    .post('/api/bookings', slot, { 'idempotency-key': key })
    .catch(() => 'cut')
  await reached
  await service.end('SIGKILL')
  expect(await unanswered).toBe('cut')
  await proxy.close()
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

/** A service behind a proxy to Temporal, and a slot at a connected venue. */
async function startAtVenue() {
  const [host = '', port] = network.config.TEMPORAL_ADDRESS.split(':')
  const venue = await openSimulator()
  const proxy = await openTcpProxy(host, Number(port))
  const { service, caller } = await startService({ TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}` })
  const slot = await findSlot(caller, 'restaurant')
  await connectVenue(network, slot.venue_id, venue)
  return { venue, proxy, service, caller, slot, key: randomUUID() }
}

test.each([
  // The marker of the decision to ask: the call starts then, and the workflow learns of neither.
  ['before its workflow’s task is recorded', 'core_local_activity'],
  // The result of the call.
  ['before the call is recorded', '"heard":"confirmed"'],
])('a venue’s yes is answered at its commit, also by a service killed %s', async (_, text) => {
  const { venue, proxy, service, caller, slot, key } = await startAtVenue()
  const reached = proxy.freezeAt({ direction: 'request', text, occurrence: 1 })
  const answer = await caller.post('/api/bookings', slot, { 'idempotency-key': key })
  expect(answer).toMatchObject({ status: 201, body: { status: 'confirmed' } })
  await reached
  await service.end('SIGKILL')
  await proxy.close()
  const { id } = await expectFinished(slot, key, byVenue)
  expect((await venue.book(id)).history).toHaveLength(1)
  await venue.close()
})
