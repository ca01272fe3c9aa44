import type { DataFolder } from '../../src/local/data-folder.ts'
import { startPostgres } from '../../src/local/postgres.ts'
import { withProgress } from '../../src/local/progress.ts'
import type { ServerProcess } from '../../src/local/server-process.ts'
import type { ClusterPrograms } from './cluster-programs.ts'
import { startTemporalCluster } from './temporal-cluster.ts'
import { startTemporalUi } from './temporal-ui.ts'

/** connections for Temporal's pools, three of our programs, and tests */
const CONNECTIONS = 300

export type ClusterServers = {
  databaseUrl: string
  temporalAddress: string
  /** its URL, or why it is missing */
  temporalUi: { url: string } | { missing: string }
  processes: ServerProcess[]
}

/**
 * Starts PostgreSQL, the Temporal server on it, and the UI if available. Each is added to `parts`,
 * which are stopped in reverse order. Data, logs and ports are kept in `folder`.
 */
export async function startClusterServers(
  programs: ClusterPrograms,
  folder: DataFolder,
  parts: AsyncDisposableStack,
): Promise<ClusterServers> {
  const { postgresPort, clusterPorts, temporalUiPort } = folder.state
  const processes: ServerProcess[] = []
  const start = async <P extends ServerProcess>(label: string, starting: Promise<P>) => {
    const part = await withProgress(label, starting)
    parts.defer(part.stop)
    processes.push(part)
    return part
  }
  const postgres = await start(
    'Starting PostgreSQL',
    startPostgres(folder.path, { port: postgresPort, connections: CONNECTIONS }),
  )
  folder.update({ postgresPort: postgres.port })
  const databaseUrl = postgres.url
  const temporal = await start(
    'Starting the Temporal server',
    startTemporalCluster(folder.path, { programs, databaseUrl, ports: clusterPorts }),
  )
  folder.update({ clusterPorts: temporal.ports })
  const servers = { databaseUrl, temporalAddress: temporal.address, processes }
  if ('missing' in programs.ui) return { ...servers, temporalUi: programs.ui }
  const ui = await start(
    'Starting the Temporal UI',
    startTemporalUi(folder.path, {
      program: programs.ui.file,
      temporalAddress: temporal.address,
      port: temporalUiPort,
    }),
  )
  folder.update({ temporalUiPort: ui.port })
  return { ...servers, temporalUi: { url: ui.url } }
}
