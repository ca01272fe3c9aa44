import type { Config } from '../config/config.ts'
import { requireSessions } from '../platform/database/pooler.ts'
import type { DataFolder } from './data-folder.ts'
import { requireDatabase } from './database.ts'
import type { Keep } from './kept-server.ts'
import { answers } from './ports.ts'
import { startPostgres } from './postgres.ts'
import { withProgress } from './progress.ts'
import { startTemporal } from './temporal.ts'
import { findTemporalCli } from './temporal-cli.ts'

/** A server that the service needs; `ended` and `stop` exist only if we started it. */
type Backing<Address> = Address & { ended?: Promise<string>; stop?(): Promise<void> }

/** DATABASE_URL, which must answer, or the embedded PostgreSQL. */
export async function openDatabase(
  config: Config,
  folder: DataFolder,
  keep: Keep,
): Promise<Backing<{ url: string }>> {
  if (config.DATABASE_URL) {
    requireSessions(config.DATABASE_POOLER)
    await requireDatabase(config.DATABASE_URL)
    return { url: config.DATABASE_URL }
  }
  const starting = startPostgres(folder.path, { port: folder.state.postgresPort, keep })
  const postgres = await withProgress('Starting PostgreSQL', starting)
  folder.update({ postgresPort: postgres.port })
  return postgres
}

/** TEMPORAL_ADDRESS, or a server of our own with its UI; `uiBookings` lists booking workflows. */
export async function openTemporal(
  config: Config,
  folder: DataFolder,
  keep: Keep,
): Promise<
  Backing<{
    address: string
    uiUrl: string | undefined
    uiBookings: string | undefined
    /** a command that lists the bookings, using the CLI that was found */
    command?: string
  }>
> {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_UI_URL } = config
  if (address) {
    const { hostname, port } = new URL(`tcp://${address}`)
    if (!(await answers(hostname, Number(port)))) {
      throw new Error(`No Temporal server answers at ${address}. Check TEMPORAL_ADDRESS.`)
    }
    return { address, uiUrl: TEMPORAL_UI_URL, uiBookings: TEMPORAL_UI_URL }
  }
  const namespace = config.TEMPORAL_NAMESPACE
  const { temporalPort, temporalUiPort } = folder.state
  const cli = await findTemporalCli({ chosen: config.TEMPORAL_CLI })
  const starting = startTemporal(folder.path, {
    cli,
    namespace,
    port: temporalPort,
    uiPort: temporalUiPort,
    keep,
  })
  const temporal = await withProgress('Starting the Temporal server', starting)
  folder.update({ temporalPort: temporal.port, temporalUiPort: temporal.uiPort })
  const uiUrl = `http://127.0.0.1:${temporal.uiPort}`
  const uiBookings = `${uiUrl}/namespaces/${namespace}/workflows?query=WorkflowType%3D%22booking%22`
  const command = `${cli} workflow list --address ${temporal.address} --namespace ${namespace}`
  return { ...temporal, uiUrl, uiBookings, command }
}
