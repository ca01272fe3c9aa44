import { readConfig } from '../../src/config/config.ts'
import { connectorContext, upsertConnector } from '../../src/confirmation/store/connectors.ts'
import { secretsKeys } from '../../src/local/key-files.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import type { Service } from './service.ts'

/** Connects a venue to the service's simulator, which responds at once. */
export async function connectToSimulator({ db, dataDir }: Service, venueId: string): Promise<void> {
  const sealer = createSealer(secretsKeys(readConfig({ DATA_DIR: dataDir })))
  const { rows } = await db.query('select venue_id, url, secret from connector limit 1')
  const [row] = rows
  if (!row) throw new Error('the service has no simulated venue')
  const secret = sealer.open(row.secret, connectorContext(row.venue_id))
  const url = new URL('/venues/bench', row.url).href
  const sealed = sealer.seal(secret, connectorContext(venueId))
  await upsertConnector(db, { venueId, url, secret: sealed }, new Date())
}
