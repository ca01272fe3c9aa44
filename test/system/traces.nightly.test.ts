import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { deleteConnector } from '../../src/confirmation/store/connectors.ts'
import { installQuietRuntime } from '../../src/platform/temporal/workers.ts'
import { workflowBundle as untracedBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import { type Agent, findSlot, openAgent } from '../support/agent.ts'
import { type CollectedSpan, openCollector } from '../support/collector.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually, type Program, startProgram } from '../support/programs.ts'
import { connectVenue, openSimulator } from '../support/venues.ts'

installQuietRuntime()

let network: Network
let collector: Awaited<ReturnType<typeof openCollector>>
let api: Program
let worker: Program
let agent: Agent

beforeAll(async () => {
  collector = await openCollector()
  network = await openNetwork({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    TRUST_TRACEPARENT: 'true',
  })
  api = startProgram('src/api.ts', { ...network.env, OTEL_BSP_SCHEDULE_DELAY: '200' })
  worker = startProgram('src/worker.ts', { ...network.env, OTEL_BSP_SCHEDULE_DELAY: '200' })
  await api.prints('the doors are open')
  await worker.prints('the worker takes bookings')
  agent = await openAgent(network.db, `http://127.0.0.1:${network.config.PORT}`)
})

afterAll(async () => {
  await api?.end('SIGTERM')
  await worker?.end('SIGTERM')
  await collector?.close()
  await network?.close()
})

const callOf = (bookingId: string) =>
  eventually('the span of the call', async () =>
    collector.spans.find(({ attributes }) => attributes.booking_id === bookingId),
  )

/** The chain of spans from one with this name up to the root of its trace. */
const chainTo = (traceId: string, leaf: RegExp) =>
  eventually(`a chain of spans to ${leaf}`, async () => {
    const ofTrace = collector.spans.filter((span) => span.traceId === traceId)
    const chain: CollectedSpan[] = []
    let span = ofTrace.find(({ name }) => leaf.test(name))
    while (span) {
      chain.unshift(span)
      const { parentSpanId } = span
      if (!parentSpanId) return chain
      span = ofTrace.find(({ spanId }) => spanId === parentSpanId)
      if (!span && chain[0]?.name.startsWith('rest ')) return chain
    }
    return undefined
  })

test('one trace links the door, the workflow, the activity and the SQL', async () => {
  const slot = await findSlot(agent, 'restaurant')
  const refused = await agent.post('/api/bookings', { ...slot, party_size: 1_000_000 })
  const call = await callOf(refused.body.booking_id)
  expect(call).toMatchObject({
    name: 'rest confirm booking',
    attributes: { code: 'party_too_large', request_id: refused.headers.get('x-request-id') },
  })
  const chain = await chainTo(call.traceId, /^RunActivity:decideBooking$/)
  expect(chain.map(({ name }) => name)).toEqual([
    'rest confirm booking',
    'StartWorkflow:booking',
    'RunWorkflow:booking',
    'StartActivity:decideBooking',
    'RunActivity:decideBooking',
  ])
  const within = (id: string | undefined) =>
    collector.spans.filter(({ parentSpanId }) => parentSpanId === id)
  expect(within(call.spanId).map(({ name }) => name)).toContain('sql commit')
  expect(within(chain.at(-1)?.spanId)[0]?.attributes['db.query.text']).toMatch(/select|with|begin/)
})

nightly('the same trace includes the connected venue', async () => {
  const venue = await openSimulator()
  const slot = await findSlot(agent, 'bar')
  try {
    await connectVenue(network, slot.venue_id, venue)
    // A workflow's span is sent when the workflow ends.
    await venue.script({ on: 'booking.confirm', do: { answer: 'declined' } })
    const { body } = await agent.post('/api/bookings', slot)
    expect(body.code).toBe('venue_declined')
    const { traceId } = await callOf(body.booking_id)
    for (const activity of ['decideBooking', 'callVenue']) {
      const chain = await chainTo(traceId, new RegExp(`^RunActivity:${activity}$`))
      expect(chain.map(({ name }) => name)).toEqual([
        'rest confirm booking',
        'StartWorkflow:booking',
        'RunWorkflow:booking',
        `StartActivity:${activity}`,
        `RunActivity:${activity}`,
      ])
    }
  } finally {
    await deleteConnector(network.db, slot.venue_id)
    await venue.close()
  }
})

test('log lines of API and worker have the trace id', async () => {
  const { body } = await agent.post('/api/bookings', await findSlot(agent, 'bar'))
  const { traceId } = await callOf(body.booking.id)
  for (const program of [api, worker]) {
    const line = await eventually('the line about the booking', async () =>
      program
        .output()
        .split('\n')
        .find((text) => text.includes(body.booking.id)),
    )
    expect(JSON.parse(line).trace_id).toBe(traceId)
  }
})

test('a trusted caller continues its own trace', async () => {
  const traceId = randomBytes(16).toString('hex')
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`
  const slot = await findSlot(agent, 'gym', 1)
  const { body } = await agent.post('/api/bookings', slot, { traceparent })
  expect((await callOf(body.booking.id)).traceId).toBe(traceId)
})

nightly('a booking that began with tracing continues without it', async () => {
  const { body } = await agent.post('/api/bookings', await findSlot(agent, 'spa', 1))
  const handle = network.client.workflow.getHandle(bookingWorkflowId(body.booking.id))
  const workflowBundle = await untracedBundle(network.config.DATA_DIR)
  await Worker.runReplayHistory({ workflowBundle }, await handle.fetchHistory())
})

nightly('without a collector no part of the OpenTelemetry SDK is loaded', async () => {
  const count = async (env: Record<string, string>) => {
    const program = startProgram('test/support/count-telemetry-modules.ts', env)
    await once(program.process, 'close')
    return Number(program.output())
  }
  expect(await count({})).toBe(0)
  expect(await count({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).toBeGreaterThan(0)
})
