import { randomUUID } from 'node:crypto'
import { setUpTemporal } from '../../src/compose/set-up-temporal.ts'
import type { Config } from '../../src/config/config.ts'
import type { DataFolder } from '../../src/local/data-folder.ts'
import { prepareDatabase } from '../../src/local/database.ts'
import { choosePort } from '../../src/local/ports.ts'
import { withProgress } from '../../src/local/progress.ts'
import type { ServerProcess } from '../../src/local/server-process.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { connectEngine } from '../../src/platform/temporal/connect.ts'
import { makeKey } from '../../test/support/agent.ts'
import { type Measured, measure, summary } from '../bench/load.ts'
import { paced } from '../bench/paced.ts'
import { post } from '../bench/post.ts'
import { cpuSecondsOf, proportionalMb } from '../bench/processes.ts'
import { unlimited } from '../bench/service.ts'
import { watchStolen } from '../bench/stolen.ts'
import { addBenchVenue, bookingNumber } from '../bench/venue.ts'
import { answersReady, takesBookings } from './cluster.ts'
import { findClusterPrograms } from './cluster-programs.ts'
import { startClusterServers } from './cluster-servers.ts'
import { startNetworkProcess } from './network-process.ts'

/** The numbers of workers and APIs in each run. */
const TOPOLOGIES = [
  { workers: 1, apis: 1 },
  { workers: 2, apis: 1 },
  { workers: 4, apis: 1 },
  { workers: 2, apis: 2 },
  { workers: 4, apis: 2 },
]
const CALLERS = 20
/** warm-up bookings per worker, because each must compile its code */
const WARM = 200
const BOOKINGS = 600
/** The same load per worker, however many there are. */
const PER_WORKER = { perSecond: 10, seconds: 30 }

type Part = { kind: 'API' | 'worker' | 'PostgreSQL' | 'Temporal' | 'callers'; pid: number }

/**
 * Bookings per second and CPU time per booking on the production topology, with increasing numbers
 * of workers and APIs. Everything runs on one machine, so its two cores are the limit; the CPU time
 * per booking predicts the effect of more machines.
 */
export async function measureScale(
  config: Config,
  folder: DataFolder,
  parts: AsyncDisposableStack,
): Promise<void> {
  const servers = await startClusterServers(await findClusterPrograms(), folder, parts)
  const { databaseUrl, temporalAddress } = servers
  await prepareDatabase(databaseUrl)
  const engine = { address: temporalAddress, namespace: config.TEMPORAL_NAMESPACE }
  await withProgress('Preparing the namespace', setUpTemporal(engine))
  const client = await connectEngine(engine)
  parts.defer(() => client.connection.close())
  const db = openPool(databaseUrl, 3, () => {})
  parts.defer(() => db.end())
  const { key } = await makeKey(db, 'pro')
  const venue = await addBenchVenue(db)
  const [postgres, temporal] = servers.processes
  const shared: Part[] = [
    { kind: 'PostgreSQL', pid: pidOf(postgres) },
    { kind: 'Temporal', pid: pidOf(temporal) },
    { kind: 'callers', pid: process.pid },
  ]
  let booked = 0
  const sizes = () => databaseSizes(db)
  const empty = await sizes()
  const stolen = watchStolen()
  for (const topology of TOPOLOGIES) {
    await using running = new AsyncDisposableStack()
    const env = {
      NODE_ENV: 'development',
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      DATA_DIR: folder.path,
      LOG_LEVEL: 'warn',
      ...unlimited,
    }
    const own: Part[] = []
    const start = async (program: 'api' | 'worker', nth: number) => {
      const PORT = String(await choosePort())
      const url = `http://127.0.0.1:${PORT}`
      const name = `${program}-${nth}`
      const isReady = (pid: number | undefined) =>
        program === 'api' ? answersReady(url) : takesBookings(client, pid)
      const started = await startNetworkProcess(folder.path, {
        program,
        name,
        env: { ...env, PORT },
        isReady,
      })
      running.defer(started.stop)
      own.push({ kind: program === 'api' ? 'API' : 'worker', pid: pidOf(started) })
      return url
    }
    for (let nth = 1; nth <= topology.workers; nth += 1) await start('worker', nth)
    const urls: string[] = []
    for (let nth = 1; nth <= topology.apis; nth += 1) urls.push(await start('api', nth))
    const book = () => {
      const url = urls[booked % urls.length]
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }
      return post(`${url}/api/bookings`, headers, bookingNumber(venue.id, booked++), 201)
    }
    const all = [...own, ...shared]
    const measureCost = async (calls: number, run: () => Promise<Measured>) => {
      const before = all.map(secondsOf)
      const measured = await run()
      const used = all.map((part, at) => ({
        ...part,
        seconds: secondsOf(part) - (before[at] ?? 0),
      }))
      return { ...measured, calls, used }
    }
    await measure(CALLERS, WARM * topology.workers, book)
    const title = `${topology.workers} workers, ${topology.apis} APIs`
    const fast = () => measure(CALLERS, BOOKINGS, book)
    report(`${title}: bookings`, await measureCost(BOOKINGS, fast))
    const { seconds } = PER_WORKER
    const perSecond = PER_WORKER.perSecond * topology.workers
    const steady = async () =>
      summary(await paced({ callers: CALLERS, perSecond, seconds }, book), seconds)
    const each = `${PER_WORKER.perSecond} a second per worker`
    report(`${title}: ${each}`, await measureCost(perSecond * seconds, steady))
    if (topology !== TOPOLOGIES.at(-1)) continue
    const open = await selectOpenBookings(db, BOOKINGS)
    const cancel = (n: number) => {
      const headers = { authorization: `Bearer ${key}` }
      return post(`${urls[n % urls.length]}/api/bookings/${open[n]}/cancel`, headers, {}, 200)
    }
    const cancelAll = () => measure(CALLERS, open.length, cancel)
    report(`${title}: cancellations`, await measureCost(open.length, cancelAll))
  }
  const full = await sizes()
  for (const [name, bytes] of Object.entries(full)) {
    const each = (bytes - (empty[name] ?? 0)) / booked / 1024
    console.log(`database ${name}: ${each.toFixed(1)} kB per booking, indexes included`)
  }
  const share = stolen()
  if (share !== null)
    console.log(`${(share * 100).toFixed(1)} % of CPU time was stolen by the host`)
}

const secondsOf = ({ kind, pid }: Part) => cpuSecondsOf(pid, kind === 'PostgreSQL')

function pidOf(part: ServerProcess | undefined): number {
  if (!part?.pid) throw new Error('a part of the cluster has no process')
  return part.pid
}

/** Bytes of each database on the server, by name. */
async function databaseSizes(db: Pool): Promise<Record<string, number>> {
  const { rows } = await db.query(
    `select datname as name, pg_database_size(oid)::float8 as bytes from pg_database
     where not datistemplate`,
  )
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]))
}

async function selectOpenBookings(db: Pool, most: number): Promise<string[]> {
  const { rows } = await db.query(
    `select id from booking where status = 'confirmed' order by created_at desc limit $1`,
    [most],
  )
  return rows.map(({ id }) => id)
}

type Used = Part & { seconds: number }
type Cost = Measured & { calls: number; used: readonly Used[] }

function report(title: string, { perSecond, p50, p95, errors, calls, used }: Cost): void {
  const kinds = ['API', 'worker', 'PostgreSQL', 'Temporal', 'callers'] as const
  const of = (kind: Part['kind']) => used.filter((one) => one.kind === kind)
  const sum = (parts: readonly Used[]) => parts.reduce((all, { seconds }) => all + seconds, 0)
  const costs = kinds.map((kind) => `${kind} ${((sum(of(kind)) * 1000) / calls).toFixed(1)}`)
  const ours = sum(used.filter(({ kind }) => kind !== 'callers'))
  const together = ((ours * 1000) / calls).toFixed(1)
  const largest = (kind: Part['kind']) =>
    Math.max(...of(kind).map(({ pid }) => proportionalMb(pid))).toFixed(0)
  console.log(
    `${title}: ${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms` +
      `${errors > 0 ? `, ${errors} ERRORS` : ''}\n` +
      `  CPU ms each: ${costs.join(', ')}; without the callers ${together}\n` +
      `  memory: largest API ${largest('API')} MB, largest worker ${largest('worker')} MB`,
  )
}
