import type { Client } from '@temporalio/client'
import type { Config } from '../config.ts'
import { loadDemoVenues } from '../demo/load.ts'
import { connectEngine } from '../engine/connect.ts'
import { bookingWorkers } from '../engine/pollers.ts'
import { migrate } from '../store/migrate.ts'
import { openPool } from '../store/sql.ts'
import { countVenues } from '../store/venue-count.ts'
import { findClusterPrograms } from './cluster-programs.ts'
import type { DataFolder } from './data-folder.ts'
import { startNetworkProcess, stopNetworkOrphans } from './network-process.ts'
import { startPostgres } from './postgres.ts'
import { withProgress } from './progress.ts'
import type { ServerProcess } from './server-process.ts'
import { startTemporalCluster } from './temporal-cluster.ts'

/** Temporal's pools, three programs of ours, and tests beside them. */
const CONNECTIONS = 300
const WORKERS = ['worker-1', 'worker-2']

export type Cluster = {
  url: string
  databaseUrl: string
  temporalAddress: string
  /** Rejects when a part ends by itself. */
  failed: Promise<never>
}

/**
 * Starts the production topology on this machine: PostgreSQL, the Temporal server on it, one API and two workers, each a process of
 * its own. What is started is given to `parts`, to be stopped in reverse order; data, logs and ports are kept in `folder`.
 */
export async function startCluster(
  config: Config,
  folder: DataFolder,
  parts: AsyncDisposableStack,
): Promise<Cluster> {
  const keep = <P extends ServerProcess>(part: P): P => {
    parts.defer(part.stop)
    return part
  }
  const programs = await findClusterPrograms()
  await stopNetworkOrphans(folder.path)
  const { postgresPort: port, clusterPorts: ports } = folder.state
  const starting = startPostgres(folder.path, { port, connections: CONNECTIONS })
  const postgres = keep(await withProgress('Starting PostgreSQL', starting))
  const databaseUrl = postgres.url
  const startingTemporal = startTemporalCluster(folder.path, { programs, databaseUrl, ports })
  const temporal = keep(await withProgress('Starting the Temporal server', startingTemporal))
  folder.update({ postgresPort: postgres.port, clusterPorts: temporal.ports })
  await withProgress('Bringing the database up to date', prepareNetwork(databaseUrl))

  const { address } = temporal
  const engine = { address, namespace: config.TEMPORAL_NAMESPACE }
  const connecting = Promise.race([connectEngine(engine), failureOf(temporal)])
  const client = await withProgress('Making the namespace ready', connecting)
  parts.defer(() => client.connection.close())
  const url = `http://${config.HOST}:${config.PORT}`
  const env = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: address,
    DATA_DIR: folder.path,
    HOST: config.HOST,
    PORT: String(config.PORT),
  }
  const startPart = (program: 'api' | 'worker', name: string, isReady: IsReady) =>
    withProgress(
      `Starting ${name}`,
      startNetworkProcess(folder.path, { program, name, env, isReady }),
    )
  const workers: ServerProcess[] = []
  parts.defer(async () => void (await Promise.all(workers.map((worker) => worker.stop()))))
  // One after the other: the first makes the workflow bundle that the second finds.
  for (const name of WORKERS) {
    workers.push(await startPart('worker', name, (pid) => takesBookings(client, pid)))
  }
  const api = keep(await startPart('api', 'api', () => answersReady(url)))
  folder.update({ databaseUrl })

  const failed = Promise.race([postgres, temporal, ...workers, api].map(failureOf))
  return { url, databaseUrl, temporalAddress: address, failed }
}

/** Rejects when the part ends by itself, with the end of its log. */
const failureOf = async (part: ServerProcess): Promise<never> => {
  throw new Error(`${await part.ended}. ${part.log()}`)
}

type IsReady = (pid: number | undefined) => Promise<boolean>

/** A worker of the TypeScript SDK polls as `pid@host`. */
const takesBookings = async (client: Client, pid: number | undefined) =>
  (await bookingWorkers(client)).some((identity) => identity.startsWith(`${pid}@`))

const answersReady = async (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )

async function prepareNetwork(url: string): Promise<void> {
  await migrate(url)
  const db = openPool(url, 1, () => {})
  try {
    if ((await countVenues(db)) === 0) await loadDemoVenues(db, new Date())
  } finally {
    await db.end()
  }
}
