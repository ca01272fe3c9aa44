import { selectOptionalVenue } from '../availability/store/venues.ts'
import { counted } from '../base/counted.ts'
import { openSealer } from '../compose/open-sealer.ts'
import type { Config } from '../config/config.ts'
import {
  connectorContext,
  countOpenAtVenue,
  deleteConnector,
  giveUpWithdrawals,
  selectConnectors,
  upsertConnector,
} from '../confirmation/store/connectors.ts'
import { plainTable } from '../platform/command-line/plain-table.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import { type Pool, transaction } from '../platform/database/sql.ts'
import { newSigningSecret, parseSigningSecret } from '../platform/http/signature.ts'
import { connectorPolicy, parseTarget } from '../platform/http/target.ts'

/** If secrets were sealed with an unshared key, the API and the workers could not start. */
const whoseKey =
  'With DATABASE_URL, SECRETS_KEY must be given too: the one that API and workers have. ' +
  'Without one, it is in the file secrets-key of their DATA_DIR.'

/** Connects a venue to its own booking system; prints the signing secret on the last line. */
export async function connectVenue(
  db: Pool,
  config: Config,
  {
    slug,
    url,
    secret = newSigningSecret(),
    takesAmend = true,
  }: { slug: string; url: string; secret?: string; takesAmend?: boolean },
  at: Date,
): Promise<string> {
  parseTarget(url, connectorPolicy(config))
  if (!parseSigningSecret(secret)) {
    throw new UsageError('--secret must be whsec_ and 24 to 64 bytes in base64.')
  }
  requireSharedKey(config)
  const venue = await venueOf(db, slug)
  const sealer = await openSealer(config, db)
  const sealed = sealer.seal(secret, connectorContext(venue.id))
  await upsertConnector(db, { venueId: venue.id, url, secret: sealed, takesAmend }, at)
  return [
    `${venue.name} confirms at ${url} from now on. Within a minute its availability is read:`,
    `\`npm run venues -- connections\` shows the result.`,
    'Both sides sign with this secret, which is shown once (docs/protocols/venue-connector.md):',
    secret,
  ].join('\n')
}

/**
 * Returns a venue to the network's own inventory. Refuses while the venue's system has open
 * bookings, unless forced: pending ones then expire, and withdrawals are given up.
 */
export async function disconnectVenue(
  db: Pool,
  { slug, isForced }: { slug: string; isForced: boolean },
  at: Date,
): Promise<string> {
  const venue = await venueOf(db, slug)
  const open = await countOpenAtVenue(db, venue.id, at)
  if (open > 0 && !isForced) {
    throw new Error(
      `${venue.name} has ${counted(open, 'booking')} pending, upcoming or to be withdrawn in its ` +
        'own system. Disconnect it when all are over, or use --force: its system then gets no ' +
        'more messages about them.',
    )
  }
  const was = await transaction(db, async (tx) => {
    await giveUpWithdrawals(tx, venue.id, at)
    return deleteConnector(tx, venue.id)
  })
  if (!was) throw new Error(`${venue.name} is not connected.`)
  return `The network itself confirms bookings at ${venue.name} from now on.`
}

/** Every connected venue, with its address and when it was last read. */
export async function connectionTable(db: Pool): Promise<string> {
  const connectors = await selectConnectors(db)
  if (connectors.length === 0) return 'No venue has a booking system of its own.'
  const rows = connectors.map(({ slug, url, read_at, failure }) => {
    const state = failure ?? (read_at ? 'read' : 'not read yet')
    return [slug, url, read_at?.toISOString() ?? '-', state]
  })
  return plainTable(['VENUE', 'ADDRESS', 'LAST READ', 'STATE'], rows)
}

/** Throws unless the API and the workers can open secrets sealed here. */
export function requireSharedKey(config: Config): void {
  if (config.DATABASE_URL && !config.SECRETS_KEY) throw new Error(whoseKey)
}

export async function venueOf(db: Pool, slug: string) {
  const venue = await selectOptionalVenue(db, slug, false)
  if (venue) return venue
  throw new Error(`There is no venue ${slug}. Search or list venues and use the slug given there.`)
}
