import { randomUUID } from 'node:crypto'
import type { Config } from '../../src/config.ts'
import type { DataFolder } from '../../src/local/data-folder.ts'
import { prepareDatabase } from '../../src/local/database.ts'
import { choosePort } from '../../src/local/ports.ts'
import { withProgress } from '../../src/local/progress.ts'
import type { ServerProcess } from '../../src/local/server-process.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import { connectEngine } from '../../src/platform/temporal/connect.ts'
import { setUpTemporal } from '../../src/set-up-temporal.ts'
import { makeKey } from '../../test/support/agent.ts'
import { measure } from '../bench/load.ts'
import { post } from '../bench/post.ts'
import { unlimited } from '../bench/service.ts'
import { watchStolen } from '../bench/stolen.ts'
import { addBenchVenue, bookingNumber } from '../bench/venue.ts'
import { answersReady, takesBookings } from './cluster.ts'
import { findClusterPrograms } from './cluster-programs.ts'
import { startClusterServers } from './cluster-servers.ts'
import { cpuSeconds, familySeconds, residentMb } from './cpu-time.ts'
import { startNetworkProcess } from './network-process.ts'

/** Workers and APIs of each run. */
const TOPOLOGIES = [
  { workers: 1, apis: 1 },
  { workers: 2, apis: 1 },
  { workers: 4, apis: 1 },
  { workers: 2, apis: 2 },
  { workers: 4, apis: 2 },
]
const CALLERS = 20
/** per worker, as each has code to compile */
const WARM = 200
const BOOKINGS = 600

type Topology = (typeof TOPOLOGIES)[number]
type Part = { kind: 'API' | 'worker' | 'PostgreSQL' | 'Temporal' | 'callers'; pid: number }

/**
 * Bookings a second and CPU time per booking on the production topology, with more and more
 * workers and APIs. Everything is on one machine, so two cores end somewhere; the CPU time per
 * booking says what more machines would do.
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
    await measure(CALLERS, WARM * topology.workers, book)
    const all = [...own, ...shared]
    const before = all.map(secondsOf)
    const measured = await measure(CALLERS, BOOKINGS, book)
    const used = all.map((part, at) => ({
      ...part,
      seconds: secondsOf(part) - (before[at] ?? 0),
    }))
    report(topology, measured, used)
  }
  const share = stolen()
  if (share !== null)
    console.log(`${(share * 100).toFixed(1)} % of CPU time was stolen by the host`)
}

const secondsOf = ({ kind, pid }: Part) =>
  kind === 'PostgreSQL' ? familySeconds(pid) : cpuSeconds(pid)

function pidOf(part: ServerProcess | undefined): number {
  if (!part?.pid) throw new Error('a part of the cluster has no process')
  return part.pid
}

type Used = Part & { seconds: number }

function report(
  { workers, apis }: Topology,
  { perSecond, p50, p95, errors }: Awaited<ReturnType<typeof measure>>,
  used: readonly Used[],
): void {
  const costs = (['API', 'worker', 'PostgreSQL', 'Temporal', 'callers'] as const).map((kind) => {
    const seconds = used
      .filter((one) => one.kind === kind)
      .reduce((sum, one) => sum + one.seconds, 0)
    return `${kind} ${((seconds * 1000) / BOOKINGS).toFixed(1)}`
  })
  const all = used.reduce((sum, one) => sum + one.seconds, 0)
  const memory = (kind: Part['kind']) => {
    const sizes = used.filter((one) => one.kind === kind).map(({ pid }) => residentMb(pid))
    return Math.max(...sizes).toFixed(0)
  }
  console.log(
    `${workers} workers, ${apis} APIs: ${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(0)} ms, ` +
      `p95 ${p95.toFixed(0)} ms${errors > 0 ? `, ${errors} ERRORS` : ''}\n` +
      `  CPU ms per booking: ${costs.join(', ')}, together ${((all * 1000) / BOOKINGS).toFixed(1)}; ` +
      `${((all * perSecond) / BOOKINGS).toFixed(2)} cores\n` +
      `  largest API ${memory('API')} MB, worker ${memory('worker')} MB`,
  )
}
