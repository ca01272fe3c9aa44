import type { Pool } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { selectDemoVenues } from '../../venues/store/demo-venues.ts'
import { connectorContext, selectOptionalConnector, upsertConnector } from '../store/connectors.ts'

const ONE_IN = 10

/** The path identifies the simulator; its port and secret change at every start. */
const isSimulator = (url: string, slug: string): boolean =>
  /^http:\/\/127\.0\.0\.1:\d+(\/.*)$/.exec(url)?.[1] === `/venues/${slug}`

/**
 * Connects one in ten demo venues to the simulator at `url`, which signs with `secret`. Venues that
 * are already connected, to it or to another system, remain so. Returns the number selected.
 */
export async function connectDemoVenues(
  db: Pool,
  sealer: Sealer,
  { url, secret }: { url: string; secret: string },
  at: Date,
): Promise<number> {
  const venues = await selectDemoVenues(db, ONE_IN)
  for (const { id: venueId, slug } of venues) {
    const context = connectorContext(venueId)
    const address = `${url}/venues/${slug}`
    const connector = await selectOptionalConnector(db, venueId)
    if (connector && !isSimulator(connector.url, slug)) continue
    if (connector?.url === address && sealer.open(connector.secret, context) === secret) continue
    const sealed = sealer.seal(secret, context)
    await upsertConnector(db, { venueId, url: address, secret: sealed }, at)
  }
  return venues.length
}
