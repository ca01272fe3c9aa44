import type { Config } from '../config.ts'
import { connectDemoVenues } from '../confirmation/connect-demo-venues.ts'
import { openPool } from '../platform/database/sql.ts'
import { newSigningSecret } from '../platform/http/signing-secret.ts'
import { createSealer } from '../platform/sealing/sealing.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { staffDemoVenues } from '../venues/demo/staff.ts'
import { selectDemoVenues } from '../venues/store/demo-venues.ts'
import type { DataFolder } from './data-folder.ts'
import { secretsKeys } from './secrets-key.ts'
import { type LocalSimulator, startSimulator } from './simulator.ts'

/** The systems of simulated venues, and the slug of a venue where people confirm. */
export type SimulatedVenues = LocalSimulator & { staffed: string | undefined }

/**
 * Starts the simulator, connects one in ten demo venues to it and has people confirm at one in twelve; undefined for a network
 * without demo venues.
 */
export async function simulateVenues(
  config: Config,
  folder: DataFolder,
  databaseUrl: string,
  log: Log,
): Promise<SimulatedVenues | undefined> {
  const db = openPool(databaseUrl, 1, () => {})
  try {
    if ((await selectDemoVenues(db, 1)).length === 0) return undefined
    // Both sides get a new secret with each start, so that none is kept outside the database.
    const secret = newSigningSecret()
    const simulator = await startSimulator(folder, secret, log)
    const sealer = createSealer(secretsKeys(config))
    await connectDemoVenues(db, sealer, { url: simulator.url, secret }, new Date())
    return { ...simulator, staffed: await staffDemoVenues(db) }
  } finally {
    await db.end()
  }
}
