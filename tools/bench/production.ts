import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setUpTemporal } from '../../src/compose/set-up-temporal.ts'
import { readConfig } from '../../src/config/config.ts'
import { holdDataFolder } from '../../src/local/data-folder.ts'
import { prepareDatabase } from '../../src/local/database.ts'
import { startOnce } from '../../src/local/kept-server.ts'
import { openDatabase, openTemporal } from '../../src/local/local-servers.ts'
import { choosePort } from '../../src/local/ports.ts'
import { simulateVenues } from '../../src/local/simulator.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { connectEngine } from '../../src/platform/temporal/connect.ts'
import { answersReady, takesBookings } from '../cluster/cluster.ts'
import { startNetworkProcess } from '../cluster/network-process.ts'
import { type Amount, memoryOf, type Service, unlimited } from './service.ts'

/** An API and a worker as processes, as in production, on the servers of `npm start`. */
export async function startProduction(amount: Amount): Promise<Service> {
  await using starting = new AsyncDisposableStack()
  const dataDir = mkdtempSync(join(tmpdir(), 'venue-network-bench-'))
  starting.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  chmodSync(dataDir, 0o755)
  const folder = holdDataFolder(dataDir)
  starting.defer(folder.release)
  const config = readConfig({ DATA_DIR: dataDir })
  const stopLater = <P extends { stop?(): Promise<void> } | undefined>(part: P): P => {
    starting.defer(async () => part?.stop?.())
    return part
  }
  const { url: databaseUrl } = stopLater(await openDatabase(config, folder, startOnce))
  const temporal = stopLater(await openTemporal(config, folder, startOnce))
  await prepareDatabase(databaseUrl)
  const log = createLog('warn')
  stopLater(await simulateVenues(config, folder, databaseUrl, { keep: startOnce, log }))
  const address = { address: temporal.address, namespace: config.TEMPORAL_NAMESPACE }
  await setUpTemporal(address)
  const client = await connectEngine(address)
  starting.defer(() => client.connection.close())
  const PORT = String(await choosePort())
  const url = `http://127.0.0.1:${PORT}`
  const env = {
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    DATA_DIR: dataDir,
    PORT,
    LOG_LEVEL: 'warn',
    OPEN_REQUESTS_PER_MINUTE: '100000',
    ...unlimited,
  }
  const start = async (program: 'api' | 'worker', isReady: (pid?: number) => Promise<boolean>) =>
    stopLater(await startNetworkProcess(dataDir, { program, name: program, env, isReady }))
  const { pid: worker = 0 } = await start('worker', (pid) => takesBookings(client, pid))
  const { pid = 0 } = await start('api', () => answersReady(url))
  const db = openPool(databaseUrl, 10, () => {})
  starting.defer(() => db.end())
  const parts = starting.move()
  return {
    url,
    databaseUrl,
    temporalAddress: temporal.address,
    dataDir,
    db,
    amount,
    pid,
    memoryMb: () => memoryOf(pid) + memoryOf(worker),
    stop: () => parts.disposeAsync(),
  }
}
