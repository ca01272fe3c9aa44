import { randomUUID } from 'node:crypto'
import { Client } from '@temporalio/client'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { BookingStart, Call } from '../../src/bookings/rules/booking-messages.ts'
import { createBookingAnswers } from '../../src/bookings/steps/booking-answers.ts'
import { startApi } from '../../src/compose/start-api.ts'
import { startWorker } from '../../src/compose/start-worker.ts'
import { createEarlyCalls } from '../../src/confirmation/steps/early-calls.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { type Agent, findSlot, openAgent } from '../support/agent.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

// Where doors and worker share a process, a venue is called as soon as its booking is decided. The
// workflow's activity finds that call.

const log = createLog('silent')
const answers = createBookingAnswers()
let network: Network
let venue: Simulator
let worker: Awaited<ReturnType<typeof startWorker>>
let api: Awaited<ReturnType<typeof startApi>>
let agent: Agent

beforeAll(async () => {
  network = await openNetwork()
  venue = await openSimulator()
  worker = await startWorker(network.config, log, undefined, answers)
  const namespace = network.config.TEMPORAL_NAMESPACE
  const client = new Client({ connection: worker.connection, namespace })
  api = await startApi(network.config, log, undefined, { local: { answers, client } })
  agent = await openAgent(network.db, api.url)
})
afterEach(() => vi.useRealTimers())
afterAll(async () => {
  await api?.stop()
  await worker?.stop()
  await venue?.close()
  await network?.close()
})

const messagesOf = async (bookingId: string): Promise<string[]> =>
  (await venue.book(bookingId)).history.map(({ type }: { type: string }) => type)

test('the activity joins the call that began with the decision', async () => {
  const slot = await findSlot(agent, 'restaurant')
  await connectVenue(network, slot.venue_id, venue)
  await venue.script({ on: 'booking.confirm', do: { latency_ms: 500 } })
  const booked = await agent.post('/api/bookings', slot)
  expect(booked).toMatchObject({ status: 201, body: { status: 'confirmed' } })
  expect(await messagesOf(booked.body.booking.id)).toEqual(['booking.confirm'])
})

test('a repeated request waits for the call, and makes none', async () => {
  const slot = await findSlot(agent, 'spa')
  await connectVenue(network, slot.venue_id, venue)
  await venue.script({ on: 'booking.confirm', do: { latency_ms: 3_000 } })
  const once = { 'idempotency-key': randomUUID() }
  const asked = await agent.post('/api/bookings', slot, { ...once, prefer: 'wait=1' })
  expect(asked.status).toBe(202)
  const again = await agent.post('/api/bookings', slot, once)
  expect(again.body).toMatchObject({ status: 'confirmed', replayed: true })
  expect(await messagesOf(again.body.booking.id)).toEqual(['booking.confirm'])
})

test('a cancellation ends a call that began with the decision', async () => {
  const slot = await findSlot(agent, 'bar')
  await connectVenue(network, slot.venue_id, venue)
  await venue.script({ on: 'booking.confirm', do: { fail: 'hang_after' } })
  const asked = await agent.post('/api/bookings', slot, { prefer: 'wait=1' })
  expect(asked.status).toBe(202)
  const { id } = asked.body.booking
  const cancelled = await agent.post(`/api/bookings/${id}/cancel`, {}, { prefer: 'wait=8' })
  expect(cancelled).toMatchObject({ status: 200, body: { booking: { status: 'cancelled' } } })
  await vi.waitFor(
    async () => expect(await messagesOf(id)).toEqual(['booking.confirm', 'booking.cancel']),
    20_000,
  )
})

const startOf = (bookingId: string) => ({ bookingId }) as BookingStart
const heard: Call = { asked: 'booking.confirm', heard: 'confirmed' }
const { signal } = new AbortController()

test('a call that has begun is found once and does not begin twice', async () => {
  const call = vi.fn(async () => heard)
  const early = createEarlyCalls(call)
  expect(early.take('one', signal)).toBeUndefined()
  early.begin(startOf('one'))
  early.begin(startOf('one'))
  expect(call).toHaveBeenCalledOnce()
  expect(await early.take('one', signal)).toBe(heard)
  expect(early.take('one', signal)).toBeUndefined()
})

test('whoever takes a call can cancel it', async () => {
  const early = createEarlyCalls(
    (_, given) =>
      new Promise((_resolve, reject) =>
        given.addEventListener('abort', () => reject(given.reason)),
      ),
  )
  early.begin(startOf('one'))
  const controller = new AbortController()
  const calling = early.take('one', controller.signal)
  controller.abort(new Error('cancelled'))
  await expect(calling).rejects.toThrow('cancelled')
})

test('a command cancels a call that no activity has taken', async () => {
  const given: AbortSignal[] = []
  const early = createEarlyCalls(async (_, signal) => {
    given.push(signal)
    return heard
  })
  early.begin(startOf('one'))
  early.cancel('one')
  expect(given.map(({ aborted }) => aborted)).toEqual([true])
  expect(early.take('one', signal)).toBeUndefined()

  early.begin(startOf('two'))
  const calling = early.take('two', signal)
  early.cancel('two')
  expect(given.map(({ aborted }) => aborted)).toEqual([true, false])
  expect(await calling).toBe(heard)
})

test('a call that ended without being taken is not used for a later one', async () => {
  vi.useFakeTimers()
  const early = createEarlyCalls(async () => heard)
  early.begin(startOf('one'))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(early.take('one', signal)).toBeUndefined()
})

test('a failing call fails for whoever takes it, and does not end the process', async () => {
  const early = createEarlyCalls(() => Promise.reject(new Error('the database is away')))
  early.begin(startOf('one'))
  await new Promise(setImmediate)
  await expect(early.take('one', signal)).rejects.toThrow('the database is away')
})

test('while many calls wait for their activities, the next one begins with its own', async () => {
  const call = vi.fn(async () => heard)
  const early = createEarlyCalls(call)
  for (let n = 0; n < 49; n += 1) early.begin(startOf(`${n}`))
  expect(call).toHaveBeenCalledTimes(48)
  expect(early.take('48', signal)).toBeUndefined()
  expect(await early.take('7', signal)).toBe(heard)
  early.begin(startOf('next'))
  expect(call).toHaveBeenCalledTimes(49)
})
