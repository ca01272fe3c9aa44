import { randomUUID } from 'node:crypto'
import { updateConfirmMode } from '../availability/store/venues.ts'
import { openSealer } from '../compose/open-sealer.ts'
import { type Config, publicUrlOf } from '../config/config.ts'
import { venueLinkUrl } from '../confirmation/rules/venue-link.ts'
import { insertLink, revokeLinks } from '../confirmation/store/venue-links.ts'
import { readFolderState } from '../local/data-folder.ts'
import { channelDigests } from '../notices/rules/channel.ts'
import { channelContext, insertChannel } from '../notices/store/channels.ts'
import { insertPerson, removePerson, selectPeople } from '../notices/store/people.ts'
import { type Pool, transaction } from '../platform/database/sql.ts'
import { newSigningSecret } from '../platform/http/signature.ts'
import { connectorPolicy, parseTarget } from '../platform/http/target.ts'
import { requireSharedKey, venueOf } from './connect-venue.ts'
import { noChannelWarning } from './no-channel-warning.ts'

/** Creates a link to the page for a venue's staff; prints it on the last line. */
export async function linkVenue(
  db: Pool,
  config: Config,
  { slug, days, endsOthers }: { slug: string; days: number; endsOthers: boolean },
  at: Date,
): Promise<string> {
  requireSharedKey(config)
  const venue = await venueOf(db, slug)
  const sealer = await openSealer(config, db)
  if (endsOthers) await revokeLinks(db, venue.id, at)
  const link = { id: randomUUID(), venueId: venue.id, bookingId: null, days, at }
  const id = await insertLink(db, link)
  const publicUrl = config.PUBLIC_URL ?? addressOfRunning(config)
  return [
    `For ${days} days, anyone with this link sees the guests of ${venue.name} and answers for ` +
      `it (docs/operate/venue-page.md). \`npm run venues -- revoke-link ${id}\` ends that.`,
    ...(publicUrl
      ? []
      : ['PUBLIC_URL is not set, and no service runs here: the address is a guess.']),
    venueLinkUrl(sealer, publicUrl ?? publicUrlOf(config), id),
  ].join('\n')
}

/** Where links to a venue's pages begin. */
export const addressOfPages = (config: Config): string =>
  config.PUBLIC_URL ?? addressOfRunning(config) ?? publicUrlOf(config)

/** The address of the service running on DATA_DIR, if it uses the same database. */
function addressOfRunning({ DATA_DIR, DATABASE_URL }: Config): string | undefined {
  const { databaseUrl = '', publicUrl } = readFolderState(DATA_DIR)
  return databaseUrl === (DATABASE_URL ?? databaseUrl) ? publicUrl : undefined
}

/** Sets where a venue receives notices; prints their signing secret on the last line. */
export async function contactVenue(
  db: Pool,
  config: Config,
  { slug, url }: { slug: string; url: string | undefined },
  at = new Date(),
): Promise<string> {
  const venue = await venueOf(db, slug)
  if (url === undefined) {
    await replaceAddress(db, venue.id, undefined, at)
    return `${venue.name} gets no more notices at an operator's address.`
  }
  parseTarget(url, connectorPolicy(config))
  requireSharedKey(config)
  const sealer = await openSealer(config, db)
  const secret = newSigningSecret()
  const id = randomUUID()
  const [digest = Buffer.of()] = channelDigests(sealer, 'post', url)
  const address = sealer.seal(JSON.stringify({ url, secret }), channelContext(id))
  await replaceAddress(db, venue.id, { id, address, digest }, at)
  return [
    `${venue.name} gets notices of waiting requests at ${url}, signed with this secret, which is ` +
      'shown once:',
    secret,
  ].join('\n')
}

/** The name of the person who stands for the operator's address. */
const NOTICES = 'Notices'

/** Makes a channel the only one of the operator's address, which counts as a person. */
const replaceAddress = (
  db: Pool,
  venueId: string,
  channel: { id: string; address: string; digest: Buffer } | undefined,
  at: Date,
) =>
  transaction(db, async (tx) => {
    for (const person of await selectPeople(tx, venueId)) {
      if (person.name === NOTICES) await removePerson(tx, person.id, at)
    }
    if (!channel) return
    const personId = randomUUID()
    await insertPerson(tx, {
      id: personId,
      venueId,
      name: NOTICES,
      role: 'staff',
      language: null,
      at,
    })
    await insertChannel(tx, { ...channel, personId, kind: 'post', optedInBy: 'operator', at })
  })

/** Changes who confirms a venue's bookings. */
export async function changeMode(
  db: Pool,
  { slug, mode }: { slug: string; mode: 'auto' | 'request' },
): Promise<string> {
  const venue = await venueOf(db, slug)
  if (!(await updateConfirmMode(db, venue.id, mode))) {
    throw new Error(`${venue.name} confirms in its own system: disconnect it first.`)
  }
  return mode === 'auto'
    ? `The network confirms for ${venue.name} from now on.`
    : [
        `A person at ${venue.name} answers each booking from now on: ` +
          `\`npm run venues -- link ${slug}\`.`,
        ...(await noChannelWarning(db, slug)),
      ].join('\n')
}
