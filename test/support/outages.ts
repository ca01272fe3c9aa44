import { expect, inject } from 'vitest'
import { openPool } from '../../src/platform/database/sql.ts'
import { deliveriesOf, type MadeEndpoint, putEvents } from './endpoints.ts'
import type { Network } from './network.ts'
import { eventually, type Program, startProgram } from './programs.ts'
import { answers, openReceiver } from './receiver.ts'
import type { Sender } from './sender.ts'
import { openTcpProxy } from './tcp-proxy.ts'

type Site = { network: Network; sender: Sender }

/** Whether an outage that began at this time (by `performance.now()`) can end. */
type MayEnd = (site: Site, endpoint: MadeEndpoint, begun: number) => Promise<boolean>

/** The workflow has failed to send two batches. */
export const hasFailedTwice: MayEnd = async ({ sender }, endpoint) => {
  const { events } = await sender.handle(endpoint).fetchHistory()
  const failed = events?.filter(
    (event) => event.activityTaskFailedEventAttributes || event.activityTaskTimedOutEventAttributes,
  )
  return (failed?.length ?? 0) >= 2
}

/** The server has given up on the worker's batch, or has a task that no worker takes. */
export const isGivenUp: MayEnd = async ({ sender }, endpoint) => {
  const handle = sender.handle(endpoint)
  const { events } = await handle.fetchHistory()
  if (events?.some((event) => event.activityTaskTimedOutEventAttributes)) return true
  const { scheduledTime } = (await handle.describe()).raw.pendingWorkflowTask ?? {}
  return scheduledTime ? Date.now() / 1000 - Number(scheduledTime.seconds) > 10 : false
}

/** A long outage, whatever happens in the meantime. */
export const lasts =
  (ms: number): MayEnd =>
  async (_site, _endpoint, begun) =>
    performance.now() - begun > ms

export async function startSendingWorker(
  { env }: Network,
  more: Record<string, string> = {},
): Promise<Program> {
  const worker = startProgram('src/worker.ts', { ...env, ...more })
  await worker.prints('the worker takes bookings')
  return worker
}

/** Every enqueued event has a delivery, and the delivered ones are numbered without gaps. */
export async function expectNothingLost(
  { db }: Network,
  endpoint: MadeEndpoint,
  accepted: number,
): Promise<void> {
  const counts = await deliveriesOf(db, endpoint)
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(accepted)
  const { rows } = await db.query(
    `select count(*)::int as numbered, coalesce(max(sequence), 0)::int as last,
       count(distinct sequence)::int as different
     from delivery where endpoint_id = $1 and sequence is not null`,
    [endpoint.endpointId],
  )
  const [{ numbered, last, different }] = rows
  expect([different, last]).toEqual([numbered, numbered])
}

/** The database goes down under load and returns: every accepted event arrives. */
export async function outliveDatabase(site: Site, mayEnd: MayEnd): Promise<void> {
  const { network, sender } = site
  const waiting = new Set<() => void>()
  const receiver = await openReceiver((response, _, nth) => {
    const end = () => response.writeHead(204).end()
    if (nth <= 100) end()
    else waiting.add(end)
  })
  const endpoint = await sender.make({ url: receiver.url })
  const worker = await startSendingWorker(network)
  await putEvents(network.db, endpoint.accountId, 600)
  await eventually('some of it', async () => receiver.received.length > 50)
  const name = new URL(network.config.DATABASE_URL).pathname.slice(1)
  const admin = openPool(inject('databaseUrl'), 1, () => {})
  const begun = performance.now()
  await admin.query(`alter database ${name} with allow_connections false`)
  receiver.answer = answers(204)
  for (const end of waiting) end()
  const away = async () => {
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      name,
    ])
    return mayEnd(site, endpoint, begun)
  }
  await eventually('the end of the outage', away, 100_000, 200)
  expect(receiver.received.length).toBeLessThan(600)
  await admin.query(`alter database ${name} with allow_connections true`)
  await admin.end()
  await expectNothingLost(network, endpoint, 600)
  const more = await putEvents(network.db, endpoint.accountId, 100)
  await sender.until(endpoint, { delivered: 700 })
  await expectNothingLost(network, endpoint, 700)
  expect(receiver.ids()).toEqual(expect.arrayContaining(more))
  await worker.end('SIGKILL')
  await receiver.close()
}

/** Under load, the worker loses Temporal and reaches it again: every accepted event arrives. */
export async function outliveTemporal(site: Site, mayEnd: MayEnd): Promise<void> {
  const { network, sender } = site
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  const [host = '', port] = network.config.TEMPORAL_ADDRESS.split(':')
  const wire = await openTcpProxy(host, Number(port))
  const TEMPORAL_ADDRESS = `127.0.0.1:${wire.port}`
  const worker = await startSendingWorker(network, { TEMPORAL_ADDRESS })
  await putEvents(network.db, endpoint.accountId, 600)
  await eventually('some of it', async () => receiver.received.length > 50)
  await wire.close()
  const begun = performance.now()
  let accepted = 600
  const away = async () => {
    await putEvents(network.db, endpoint.accountId, 10)
    accepted += 10
    await expectNothingLost(network, endpoint, accepted)
    return mayEnd(site, endpoint, begun)
  }
  await eventually('the end of the outage', away, 100_000, 1_000)
  expect((await deliveriesOf(network.db, endpoint)).pending).toBeGreaterThan(0)
  const mended = await openTcpProxy(host, Number(port), wire.port)
  await sender.until(endpoint, { delivered: accepted })
  await expectNothingLost(network, endpoint, accepted)
  expect(new Set(receiver.ids()).size).toBe(accepted)
  await worker.end('SIGKILL')
  await mended.close()
  await receiver.close()
}
