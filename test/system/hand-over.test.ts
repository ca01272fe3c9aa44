import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { Client } from '@temporalio/client'
import type { NativeConnection } from '@temporalio/worker'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import type { BookingStart, Decision } from '../../src/bookings/rules/booking-messages.ts'
import { createBookingAnswers, type LocalWorker } from '../../src/bookings/steps/booking-answers.ts'
import { startApi } from '../../src/compose/start-api.ts'
import { startWorker } from '../../src/compose/start-worker.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { connectWorkers } from '../../src/platform/temporal/workers.ts'
import { type Agent, findSlot, openAgent } from '../support/agent.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { eventually } from '../support/programs.ts'

// With `npm start`, the bookings worker runs in the same process as the doors: it gets a booking's
// first task in the response to its start, and passes its decision to the doors.

const log = createLog('silent')
const answers = createBookingAnswers()
let network: Network
let worker: Awaited<ReturnType<typeof startWorker>>
const doors: Awaited<ReturnType<typeof startApi>>[] = []

beforeAll(async () => {
  network = await openNetwork()
  worker = await startWorker(network.config, log, undefined, answers)
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const api of doors.splice(0)) await api.stop()
})
afterAll(async () => {
  await worker?.stop()
  await network?.close()
})

const clientOn = (connection: NativeConnection) =>
  new Client({ connection, namespace: network.config.TEMPORAL_NAMESPACE })

/** An agent for doors that share one process with `local`. */
async function openAgentWith(local: LocalWorker): Promise<Agent> {
  const api = await startApi(network.config, log, undefined, { local })
  doors.push(api)
  return openAgent(network.db, api.url)
}

/** What the history of a booking records about its start and its updates. */
async function startOf(id: string) {
  const history = await network.client.workflow.getHandle(bookingWorkflowId(id)).fetchHistory()
  const events = history.events ?? []
  const [started] = events
  return {
    isHandedOver: started?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted ?? false,
    updates: events.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length,
  }
}

test('a booking goes to the worker of the same process, and needs no update', async () => {
  const agent = await openAgentWith({ answers, client: clientOn(worker.connection) })
  const slot = await findSlot(agent, 'restaurant')
  const headers = { 'idempotency-key': randomUUID() }
  const [one, other] = await Promise.all([
    agent.post('/api/bookings', slot, headers),
    agent.post('/api/bookings', slot, headers),
  ])
  const { booking } = one.body
  expect([one.status, other.status].toSorted()).toEqual([200, 201])
  expect(booking).toMatchObject({ status: 'confirmed' })
  expect(other.body.booking).toEqual(booking)
  expect(await startOf(booking.id)).toMatchObject({ isHandedOver: true })

  const taken = vi.spyOn(answers, 'takeBegun')
  // On a busy machine a booking may take over 2 s, after which the doors send an update.
  const id = await eventually('a booking without an update', async () => {
    const next = await findSlot(agent, 'restaurant')
    const alone = await agent.post('/api/bookings', next, { 'idempotency-key': randomUUID() })
    expect(alone).toMatchObject({ status: 201, body: { status: 'confirmed' } })
    const { isHandedOver, updates } = await startOf(alone.body.booking.id)
    return isHandedOver && updates === 0 && (alone.body.booking.id as string)
  })
  // The workflow task may come after the answer.
  await vi.waitFor(() => expect(taken).toHaveBeenCalledWith(id), 60_000)
  const call = taken.mock.calls.findIndex(([bookingId]) => bookingId === id)
  expect((await taken.mock.results[call]?.value)?.answer).toMatchObject({ booking: { id } })
})

test('a booking that another process decides is answered through its update', async () => {
  const connection = await connectWorkers(network.config.TEMPORAL_ADDRESS)
  const agent = await openAgentWith({
    answers: createBookingAnswers(),
    client: clientOn(connection),
  })
  const slot = await findSlot(agent, 'restaurant')
  const booked = await agent.post('/api/bookings', slot, { 'idempotency-key': randomUUID() })
  expect(booked).toMatchObject({ status: 201, body: { status: 'confirmed' } })
  expect(await startOf(booked.body.booking.id)).toEqual({ isHandedOver: false, updates: 1 })
  await doors.pop()?.stop()
  await connection.close()
})

const startNamed = (bookingId: string) => ({ bookingId }) as BookingStart
const started = async () => true

test('a decision that has begun is found once', async () => {
  const shared = createBookingAnswers()
  shared.begin(startNamed('one'), started)
  expect(shared.takeBegun('one'), 'no worker decides here').toBeUndefined()

  const decision = { answer: null, state: null }
  shared.decideWith(async () => decision)
  shared.begin(startNamed('one'), started)
  expect(await shared.takeBegun('one')).toBe(decision)
  expect(shared.takeBegun('one')).toBeUndefined()
})

test('a few bookings are decided while their workflows start, and commit afterwards', async () => {
  const shared = createBookingAnswers()
  const begun: string[] = []
  const committed: string[] = []
  shared.decideWith(async ({ bookingId }, mayCommit) => {
    begun.push(bookingId)
    await mayCommit?.()
    committed.push(bookingId)
    return { answer: null, state: null }
  })
  const { promise: starting, resolve } = Promise.withResolvers<boolean>()
  for (const id of ['1', '2', '3', '4', '5']) shared.begin(startNamed(id), () => starting)
  expect(begun).toEqual(['1', '2', '3', '4'])
  expect(committed).toEqual([])
  resolve(true)
  for (const id of ['1', '2', '3', '4', '5']) await shared.takeBegun(id)
  expect(committed.toSorted()).toEqual(['1', '2', '3', '4', '5'])
})

/** Shared answers, and how their worker's decisions ended. */
function watched() {
  const shared = createBookingAnswers()
  const ends: string[] = []
  shared.decideWith(async (_start, mayCommit) => {
    const way = mayCommit ? 'beside' : 'after'
    await mayCommit?.().catch((error) => {
      ends.push(`${way}: undone`)
      throw error
    })
    ends.push(way)
    return { answer: null, state: null }
  })
  return { shared, ends }
}

test('a decision whose workflow fails or already runs is undone; no task finds it', async () => {
  const { shared, ends } = watched()
  expect(await shared.begin(startNamed('one'), async () => false)).toBe(false)
  await vi.waitFor(() => expect(shared.takeBegun('one')).toBeUndefined())
  expect(ends).toEqual(['beside: undone'])
})

test('a decision for a running workflow is not kept, and its venue is not called', async () => {
  const shared = createBookingAnswers()
  const calls = { begin: vi.fn(), cancel: vi.fn() }
  shared.callVenuesWith(calls)
  const state = { status: 'pending', confirmMode: 'http', nextActionAt: null } as const
  shared.decideWith(async () => ({ answer: null, state }))
  await shared.begin(startNamed('one'), async () => false)
  await vi.waitFor(() => expect(shared.takeBegun('one')).toBeUndefined())
  await shared.begin(startNamed('two'), started)
  await vi.waitFor(() => expect(calls.begin).toHaveBeenCalledExactlyOnceWith(startNamed('two')))
})

test('a start that fails before a decision is refused does not end the process', async () => {
  const shared = createBookingAnswers()
  const refused = Promise.withResolvers<Decision>()
  shared.decideWith(() => refused.promise)
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  try {
    const failing = async () => {
      throw new Error('Temporal is away')
    }
    expect(await shared.begin(startNamed('one'), failing)).toBe(false)
    await setImmediate()
    expect(unhandled).not.toHaveBeenCalled()
  } finally {
    process.off('unhandledRejection', unhandled)
    refused.resolve({ answer: null, state: null })
  }
})

test('a decision whose workflow is slow is made after its start, and so is the next', async () => {
  const { shared, ends } = watched()
  const slow = Promise.withResolvers<boolean>()
  shared.begin(startNamed('one'), () => slow.promise)
  await vi.waitFor(() => expect(ends).toEqual(['beside: undone']))
  slow.resolve(true)
  expect(await shared.takeBegun('one')).toEqual({ answer: null, state: null })
  for (const id of ['two', 'three']) {
    shared.begin(startNamed(id), started)
    await shared.takeBegun(id)
  }
  expect(ends).toEqual(['beside: undone', 'after', 'after', 'beside'])
})

test('if many workflows lag behind, the next one starts once a decision is taken', async () => {
  const { shared } = watched()
  const startedIds: string[] = []
  const begin = (id: string) =>
    shared.begin(startNamed(id), async () => {
      startedIds.push(id)
      return true
    })
  const ids = Array.from({ length: 48 }, (_, n) => `${n}`)
  await Promise.all(ids.map(begin))
  const [next, last] = [begin('next'), begin('last')]
  expect(startedIds).toEqual(ids)
  await shared.takeBegun('7')
  expect(await next).toBe(true)
  expect(startedIds).toEqual([...ids, 'next'])
  await shared.takeBegun('next')
  expect(await last).toBe(true)
})

test('a decision that failed as it began is made by its workflow’s task', async () => {
  const agent = await openAgentWith({ answers, client: clientOn(worker.connection) })
  const failed = Promise.reject(new Error('the database is away'))
  failed.catch(() => {})
  const taken = vi.spyOn(answers, 'takeBegun').mockReturnValueOnce(failed)
  vi.spyOn(answers, 'begin').mockImplementationOnce((_, startNew) => startNew())
  const slot = await findSlot(agent, 'restaurant')
  const booked = await agent.post('/api/bookings', slot, { 'idempotency-key': randomUUID() })
  expect(booked).toMatchObject({ status: 201, body: { status: 'confirmed' } })
  expect(taken).toHaveBeenCalled()
})

test('a caller waiting for its turn to start waits no longer than requested', async () => {
  const agent = await openAgentWith({ answers, client: clientOn(worker.connection) })
  vi.spyOn(answers, 'begin').mockReturnValueOnce(new Promise(() => {}))
  const slot = await findSlot(agent, 'restaurant')
  const headers = { 'idempotency-key': randomUUID(), prefer: 'wait=1' }
  const { status, body } = await agent.post('/api/bookings', slot, headers)
  expect(status).toBe(202)
  await eventually('the booking to be decided without its turn', async () => {
    const read = await agent.get(`/api/bookings/${body.booking.id}`)
    return read.body.booking.status === 'confirmed'
  })
})
