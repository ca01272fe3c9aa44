import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { startApi } from '../../src/compose/start-api.ts'
import { startWorker } from '../../src/compose/start-worker.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { type Agent, findSlot, openAgent } from '../support/agent.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

const log = createLog('silent')
let network: Network
let venue: Simulator
let api: Awaited<ReturnType<typeof startApi>>
let agent: Agent

beforeAll(async () => {
  network = await openNetwork()
  venue = await openSimulator()
  api = await startApi(network.config, log)
  agent = await openAgent(network.db, api.url)
})

afterAll(async () => {
  await api?.stop()
  await venue?.close()
  await network?.close()
})

const key = () => ({ 'idempotency-key': randomUUID() })

test('without a worker, bookings are decided, but venues are not asked: 503', async () => {
  const decided = await agent.post('/api/bookings', await findSlot(agent, 'restaurant'), key())
  expect(decided).toMatchObject({ status: 201, body: { status: 'confirmed' } })

  const slot = await findSlot(agent, 'spa')
  await connectVenue(network, slot.venue_id, venue)
  const headers = key()
  const refused = await agent.post('/api/bookings', { ...slot, wait: 1 }, headers)
  expect(refused).toMatchObject({
    status: 503,
    body: { code: 'booking_engine_unavailable', retryable: true },
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const bookingId = refused.body.booking_id
  const pending = await agent.get(`/api/bookings/${bookingId}`)
  expect(pending.body.booking).toMatchObject({ status: 'pending' })

  const worker = await startWorker(network.config, log)
  const booked = await agent.post('/api/bookings', slot, headers)
  expect(booked.body).toMatchObject({ status: 'confirmed', booking: { id: bookingId } })
  for (const id of [decided.body.booking.id, bookingId]) {
    expect((await traces(network.db, id)).fees).toHaveLength(1)
    const handle = network.client.workflow.getHandle(bookingWorkflowId(id))
    await eventually('the workflow of a booking', async () => {
      const { searchAttributes } = await handle.describe()
      return searchAttributes.BookingStatus?.[0] === 'confirmed'
    })
  }
  await worker.stop()
})
