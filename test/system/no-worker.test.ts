import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi } from '../../src/compose/start-api.ts'
import { startWorker } from '../../src/compose/start-worker.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { type Agent, findSlot, openAgent } from '../support/agent.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { traces } from '../support/traces.ts'

const log = createLog('silent')
let network: Network
let api: Awaited<ReturnType<typeof startApi>>
let agent: Agent

beforeAll(async () => {
  network = await openNetwork()
  api = await startApi(network.config, log)
  agent = await openAgent(network.db, api.url)
})

afterAll(async () => {
  await api?.stop()
  await network?.close()
})

test('without a worker a request is stored and gets 503; once repeated, it books', async () => {
  const slot = await findSlot(agent, 'restaurant')
  const headers = { 'idempotency-key': randomUUID() }
  const refused = await agent.post('/api/bookings', { ...slot, wait: 1 }, headers)
  expect(refused).toMatchObject({
    status: 503,
    body: { code: 'booking_engine_unavailable', retryable: true },
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const bookingId = refused.body.booking_id
  const pending = await agent.get(`/api/bookings/${bookingId}`)
  expect(pending.body.booking).toMatchObject({ status: 'pending', ends_at: null })

  const worker = await startWorker(network.config, log)
  const booked = await agent.post('/api/bookings', slot, headers)
  expect(booked.body).toMatchObject({ status: 'confirmed', booking: { id: bookingId } })
  expect((await traces(network.db, bookingId)).fees).toHaveLength(1)
  await worker.stop()
})
