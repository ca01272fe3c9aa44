import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startApi } from '../../src/compose/start-api.ts'
import { secretsKeys } from '../../src/local/key-files.ts'
import { choosePort } from '../../src/local/ports.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { findSlot, openAgent } from '../support/agent.ts'
import { makeEndpoint } from '../support/endpoints.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually, type Program, startProgram } from '../support/programs.ts'
import { runOnce } from '../support/scheduled-runs.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

let network: Network
let venue: Simulator
let api: Program
let worker: Program
const ports = { api: 0, worker: 0 }

beforeAll(async () => {
  venue = await openSimulator()
  network = await openNetwork({ OUTBOUND_ALLOW: new URL(venue.base).host })
  for (const part of ['api', 'worker'] as const) ports[part] = await choosePort()
  const start = (file: string, port: number) =>
    startProgram(file, {
      ...network.env,
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      PUBLIC_URL: url(),
      METRICS_PORT: String(port),
    })
  api = start('src/api.ts', ports.api)
  worker = start('src/worker.ts', ports.worker)
  await api.prints('the doors are open')
  await worker.prints('the worker takes bookings')
})

afterAll(async () => {
  await api?.end('SIGTERM')
  await worker?.end('SIGTERM')
  await network?.close()
  await venue?.close()
})

const scrape = async (part: 'api' | 'worker') =>
  (await fetch(`http://127.0.0.1:${ports[part]}/metrics`)).text()

/** Waits for these metrics: those of Temporal's server and SDK come late. */
const shows = (part: 'api' | 'worker', figures: readonly RegExp[]) =>
  vi.waitFor(async () => {
    const text = await scrape(part)
    for (const figure of figures) expect(text).toMatch(figure)
  }, 60_000)

const url = () => `http://127.0.0.1:${network.config.PORT}`

test('metrics are served on loopback only, whatever the doors listen on', async () => {
  expect((await fetch(`${url().replace('127.0.0.1', '127.0.0.2')}/healthz`)).status).toBe(200)
  for (const port of Object.values(ports)) {
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
    await expect(fetch(`http://127.0.0.2:${port}/metrics`)).rejects.toThrow('fetch failed')
  }
})

test('a booking shows in the metrics of API and worker, each on its own port', async () => {
  const agent = await openAgent(network.db, url())
  await agent.post('/api/bookings', await findSlot(agent, 'restaurant'))
  await shows('api', [
    /http_call_duration_seconds_count\{door="rest",operation="confirm booking",code="ok"\} 1/,
    /database_pool_connections_max\{part="api"\} 10/,
    /database_statement_duration_seconds_count\{part="api",kind="with"\} \d+/,
    /task_queue_pollers\{task_queue="bookings",kind="workflow"\} 1/,
    // Tasks older than the worker are still counted for a while.
    /task_queue_backlog_tasks\{task_queue="bookings",kind="workflow"\} 0/,
  ])
  await runOnce(network.client, 'sweep')
  await shows('api', [/schedule_last_success_age_seconds\{schedule="sweep"\} \d/])
  const freeSlots =
    /temporal_worker_task_slots_available\{task_queue="bookings",worker_type="WorkflowWorker"\} \d+/
  await shows('worker', [
    /temporal_workflow_task_schedule_to_start_latency_seconds_count\{/,
    /booking_steps_total\{activity="decideBooking",outcome="confirmed"\} 1/,
    /activity_duration_seconds_count\{activity="decideBooking",result="ok"\} 1/,
    freeSlots,
    /temporal_num_pollers\{task_queue="bookings",poller_type="workflow_task"\} [1-9]/,
    /temporal_sticky_cache_size\{task_queue="bookings"\} [1-9]/,
  ])
})

test('a single overdue booking is shown', async () => {
  expect(await scrape('api')).toContain('overdue_bookings 0')
  const agent = await openAgent(network.db, url())
  const { body } = await agent.post('/api/bookings', await findSlot(agent, 'spa'))
  // Makes the booking overdue: its workflow sleeps until the reminder, as if failing or missing.
  const overdue = (minutes: number | null) =>
    network.db.query(
      `update booking set next_action_at = case when $2::int is null then starts_at
         else now() - $2::int * interval '1 minute' end where id = $1`,
      [body.booking.id, minutes],
    )
  await overdue(4)
  expect(await scrape('api')).toContain('overdue_bookings 0')
  await overdue(6)
  expect(await scrape('api')).toContain('overdue_bookings 1')
  await overdue(null)
  expect(await scrape('api')).toContain('overdue_bookings 0')
})

nightly('calls to venues and the results of their readings are counted', async () => {
  const agent = await openAgent(network.db, url())
  const slot = await findSlot(agent, 'bar')
  await connectVenue(network, slot.venue_id, venue)
  expect(await scrape('api')).toContain('venue_readings{state="ok"} 1')
  await venue.script({ on: 'booking.confirm', do: { fail: 'status_500' } })
  await agent.post('/api/bookings', slot)
  const figures = await eventually('the calls', async () => {
    const text = await scrape('worker')
    return text.includes('message="booking.status"') && text
  })
  expect(figures).toMatch(
    /venue_call_duration_seconds_count\{message="booking.confirm",result="status 5xx"\} 1/,
  )
  // The mirror may read the venue in between.
  const becomes = (state: string, change: string) =>
    eventually(`a ${state} reading`, async () => {
      await network.db.query(`update connector set ${change}`)
      return (await scrape('api')).includes(`venue_readings{state="${state}"} 1`)
    })
  await becomes('failed', `failure = 'timeout'`)
  await becomes('late', `read_at = now() - interval '3 minutes'`)
})

test('a developer’s URL does not reach what OUTBOUND_ALLOW permits for venues', async () => {
  const { accountId, post } = await openAgent(network.db, url())
  const sealer = createSealer(secretsKeys(network.config))
  const address = { url: `${venue.base}/script`, accountId, isProved: false }
  const { endpointId } = await makeEndpoint(network.db, sealer, address)
  const { body } = await post(`/api/webhooks/${endpointId}/verify`, {})
  expect(body).toMatchObject({
    status: 'not_verified',
    attempt: { http_status: null, failure: 'refused_url' },
  })
  expect(await scrape('worker')).toContain(
    'webhook_attempt_duration_seconds_count{cause="challenge",result="refused_url"} 1',
  )
})

test('in production only the metrics port serves metrics, and nothing else', async () => {
  expect((await fetch(`${url()}/metrics`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${ports.worker}/healthz`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${ports.worker}/api/ping`)).status).toBe(404)
})

test('the operator’s handbook explains exactly the metrics that exist', async () => {
  const handbook = readFileSync(
    join(import.meta.dirname, '../../docs/operate/operations.md'),
    'utf8',
  )
  const [, figures = ''] = /## Figures(.*?)\n## /s.exec(handbook) ?? []
  const rows = figures.matchAll(/^\| `([a-z_]+)(?:\{[^}]*\})?` \|/gm)
  const explained = [...rows].map(([, name]) => name)
  const shown = new Set<string>()
  for (const text of [await scrape('api'), await scrape('worker')]) {
    for (const [, name = ''] of text.matchAll(/^# TYPE (\S+)/gm)) shown.add(name)
  }
  const ours = [...shown].filter((name) => !/^(nodejs|process)_/.test(name))
  expect(explained.toSorted()).toEqual(ours.toSorted())
})

nightly('a metrics port in use is reported in one sentence', async () => {
  const env = { ...network.env, PORT: String(await choosePort()), METRICS_PORT: String(ports.api) }
  const second = startProgram('src/api.ts', env)
  await once(second.process, 'close')
  expect(second.process.exitCode).toBe(1)
  expect(second.output().trim()).toMatch(/^METRICS_PORT \d+ on 127\.0\.0\.1 cannot be used/)
})

nightly('while Temporal hangs, metrics are served without those of its queues', async () => {
  const [host = '', port] = network.config.TEMPORAL_ADDRESS.split(':')
  const proxy = await openTcpProxy(host, Number(port))
  const api = await startApi(
    {
      ...network.config,
      PORT: await choosePort(),
      TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}`,
    },
    createLog('silent'),
  )
  const figures = async () => (await fetch(`${api.url}/metrics`)).text()
  await eventually('the queues', async () => (await figures()).includes('task_queue_pollers{'))
  proxy.freeze()
  const text = await figures()
  expect(text).not.toContain('task_queue_pollers{')
  expect(text).toContain('database_pool_connections_max{part="api"} 10')
  await proxy.close()
  await api.stop()
})
