import { counted } from '../base/counted.ts'
import { selectVenuesWithoutChannel } from '../notices/store/venues-without-channel.ts'
import type { Pool } from '../platform/database/sql.ts'

/** Warns of a venue that takes bookings although nobody is told of them. */
export async function noChannelWarning(db: Pool, slug: string): Promise<string[]> {
  const [venue] = await selectVenuesWithoutChannel(db, slug)
  if (!venue) return []
  return [
    `Nobody is told of requests at ${venue.name}: without a channel, they expire unless somebody ` +
      `watches its page. Add one: \`npm run venues -- invite ${slug}\`, then \`add-channel\`.`,
  ]
}

/** Warns of all venues that take bookings although nobody is told of them. */
export async function noChannelWarnings(db: Pool): Promise<string[]> {
  const venues = await selectVenuesWithoutChannel(db)
  const [first] = venues
  if (!first) return []
  return [
    `Nobody is told of requests at ${counted(venues.length, 'venue')}, such as ${first.name}: ` +
      'they expire unless somebody watches the page. `npm run venues -- people` lists them.',
  ]
}
