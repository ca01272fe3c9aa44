import type { Client } from '@temporalio/client'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import { setUpTemporal } from '../../src/compose/set-up-temporal.ts'
import type { Config } from '../../src/config/config.ts'
import type { DataFolder } from '../../src/local/data-folder.ts'
import { prepareDatabase } from '../../src/local/database.ts'
import { withProgress } from '../../src/local/progress.ts'
import type { ServerProcess } from '../../src/local/server-process.ts'
import { connectEngine } from '../../src/platform/temporal/connect.ts'
import { readTaskQueue } from '../../src/platform/temporal/queues.ts'
import { findClusterPrograms } from './cluster-programs.ts'
import { type ClusterServers, startClusterServers } from './cluster-servers.ts'
import { startNetworkProcess, stopNetworkOrphans } from './network-process.ts'
import { openWorkerVersions, type WorkerVersions } from './worker-versions.ts'

const WORKERS = ['worker-1', 'worker-2']

export type Cluster = ClusterServers & {
  /** URL of the API */
  url: string
  client: Client
  /** the worker versions; if defined, each worker has a build id */
  versions: WorkerVersions | undefined
  /** Starts more workers from another release: its build id, and a DATA_DIR with its workflows. */
  startWorkers(buildId: string, names: readonly string[], dataDir: string): Promise<void>
  /** Rejects when a part exits. */
  failed: Promise<never>
}

/**
 * Starts the production topology on this machine: servers, one API and two workers, each in its own
 * process. Everything started is added to `parts`, which are stopped in reverse order.
 */
export async function startCluster(
  config: Config,
  folder: DataFolder,
  parts: AsyncDisposableStack,
): Promise<Cluster> {
  const programs = await findClusterPrograms()
  await stopNetworkOrphans(folder.path)
  const servers = await startClusterServers(programs, folder, parts)
  const { databaseUrl, temporalAddress } = servers
  const serversFailed = Promise.race(servers.processes.map(failureOf))
  await prepareDatabase(databaseUrl)

  const engine = { address: temporalAddress, namespace: config.TEMPORAL_NAMESPACE }
  const preparing = Promise.race([setUpTemporal(engine), serversFailed])
  await withProgress('Preparing the namespace', preparing)
  const client = await connectEngine(engine)
  parts.defer(() => client.connection.close())

  const url = `http://${config.HOST}:${config.PORT}`
  const env = {
    NODE_ENV: config.NODE_ENV,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    DATA_DIR: folder.path,
    HOST: config.HOST,
    PORT: String(config.PORT),
    REQUESTS_PER_SECOND: String(config.REQUESTS_PER_SECOND),
    REQUESTS_IN_FLIGHT: String(config.REQUESTS_IN_FLIGHT),
    BOOKINGS_PER_SECOND: String(config.BOOKINGS_PER_SECOND),
    BOOKINGS_IN_FLIGHT: String(config.BOOKINGS_IN_FLIGHT),
    ...('url' in servers.temporalUi && { TEMPORAL_UI_URL: servers.temporalUi.url }),
  }
  const start = (program: 'api' | 'worker', name: string, isReady: IsReady, more = {}) =>
    withProgress(
      `Starting ${name}`,
      startNetworkProcess(folder.path, { program, name, env: { ...env, ...more }, isReady }),
    )
  const workers: ServerProcess[] = []
  parts.defer(async () => void (await Promise.all(workers.map((worker) => worker.stop()))))
  // In sequence: the first builds the workflow bundle, the second reuses it.
  const startWorkers = async (names: readonly string[], more = {}) => {
    for (const name of names) {
      workers.push(await start('worker', name, (pid) => takesBookings(client, pid), more))
    }
  }
  const { TEMPORAL_DEPLOYMENT_NAME: name, TEMPORAL_WORKER_BUILD_ID: buildId } = config
  await startWorkers(WORKERS, buildId && { TEMPORAL_WORKER_BUILD_ID: buildId })
  const deployment = { client, address: temporalAddress, name }
  const versions = buildId ? await openWorkerVersions(deployment) : undefined
  await versions?.setCurrent(buildId)
  const api = await start('api', 'api', () => answersReady(url))
  parts.defer(api.stop)
  folder.update({ databaseUrl })
  const failed = Promise.race([serversFailed, ...[...workers, api].map(failureOf)])
  return {
    ...servers,
    url,
    client,
    versions,
    failed,
    startWorkers: (TEMPORAL_WORKER_BUILD_ID, names, DATA_DIR) =>
      startWorkers(names, { TEMPORAL_WORKER_BUILD_ID, DATA_DIR }),
  }
}

/** Rejects with the end of the part's log once it exits. */
async function failureOf(part: ServerProcess): Promise<never> {
  throw new Error(`${await part.ended}. ${part.log()}`)
}

type IsReady = (pid: number | undefined) => Promise<boolean>

/** The identity of a TypeScript SDK worker is `pid@host`. */
export async function takesBookings(client: Client, pid: number | undefined): Promise<boolean> {
  const { pollers } = await readTaskQueue(client, BOOKINGS_QUEUE, 'workflow')
  return pollers.some((identity) => identity.startsWith(`${pid}@`))
}

export const answersReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
