import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { connectDemoVenues } from '../confirmation/steps/connect-demo-venues.ts'
import { openPool } from '../platform/database/sql.ts'
import { newSigningSecret } from '../platform/http/signature.ts'
import { createSealer } from '../platform/sealing/sealing.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { staffDemoVenues } from '../venues/demo/load.ts'
import { selectDemoVenues } from '../venues/store/demo-venues.ts'
import type { DataFolder } from './data-folder.ts'
import type { Keep } from './kept-server.ts'
import { secretsKeys } from './key-files.ts'
import { stopOrphans } from './orphans.ts'
import { choosePort, isOk } from './ports.ts'
import { startServer } from './server-process.ts'
import { addDemoPhones } from './whatsapp/start.ts'

/** Long, because the service may keep this process busy while it connects. */
const TIMEOUT_MS = 60_000

const program = resolve(import.meta.dirname, '../../packages/simulator/main.ts')

/** `token` gives access to the simulator's tools. */
type LocalSimulator = { url: string; token: string; stop(): Promise<void> }

/**
 * Starts the simulator, connects one in ten demo venues to it and has people confirm at one in
 * twelve, with a phone if the stand-in of WhatsApp runs; undefined for a network without demo
 * venues.
 */
export async function simulateVenues(
  config: Config,
  folder: DataFolder,
  databaseUrl: string,
  { keep, log, hasPhones }: { keep: Keep; log: Log; hasPhones?: boolean },
): Promise<(LocalSimulator & { staffed: string | undefined }) | undefined> {
  const db = openPool(databaseUrl, 1, () => {}, undefined, { patienceMs: TIMEOUT_MS })
  try {
    if ((await selectDemoVenues(db, 1)).length === 0) return undefined
    // The secret is new at each start, so that none is stored outside the database.
    const secret = newSigningSecret()
    const simulator = await startSimulator(folder, secret, { keep, log })
    const sealer = createSealer(secretsKeys(config))
    await connectDemoVenues(db, sealer, { url: simulator.url, secret }, new Date())
    const staffed = await staffDemoVenues(db)
    if (hasPhones) await addDemoPhones(db, sealer, staffed, new Date())
    return { ...simulator, staffed: staffed[0]?.slug }
  } finally {
    await db.end()
  }
}

/** Runs the simulator, with its bookings in the data folder, and keeps it running. */
async function startSimulator(
  folder: DataFolder,
  secret: string,
  { keep, log }: { keep: Keep; log: Log },
): Promise<LocalSimulator> {
  const args = [program, folder.path]
  await stopOrphans(args, { signal: 'SIGTERM' })
  const port = await choosePort(folder.state.simulatorPort)
  folder.update({ simulatorPort: port })
  const url = `http://127.0.0.1:${port}`
  const name = 'The venue simulator'
  const token = randomBytes(24).toString('base64url')
  const start = () =>
    startServer({
      name,
      command: process.execPath,
      args,
      env: {
        PORT: String(port),
        SIMULATOR_SECRET: secret,
        SIMULATOR_TOKEN: token,
        SIMULATOR_DATA: join(folder.path, 'simulator'),
      },
      logFile: join(folder.path, 'simulator.log'),
      isReady: () => isOk(`${url}/healthz`),
    })
  const server = await keep(name, start)
  let isStopping = false
  void server.ended.then((how) => {
    if (!isStopping) log.error({ how }, 'the venues of the simulator do not answer any more')
  })
  return {
    url,
    token,
    stop() {
      isStopping = true
      return server.stop()
    },
  }
}
