import { type PageVenue, selectOptionalPageVenue } from '../../confirmation/store/venue-contacts.ts'
import { openVenueToken } from '../../confirmation/venue-link.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { toLocal } from '../../contract/rules/local-time.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'

/**
 * Finds the venue whose page a link opens (docs/operate/venue-page.md); throws
 * `venue_link_invalid` if the link is forged, expired or replaced.
 */
export const createOpenVenueLink =
  (db: Db, sealer: Sealer) =>
  async (token: string): Promise<PageVenue> => {
    const link = openVenueToken(sealer, token)
    const venue = link && (await selectOptionalPageVenue(db, link.venueId))
    if (!link || !venue) throw refuse('venue_link_invalid')
    const { timezone, links_from } = venue
    if (link.until <= new Date()) {
      const until = toLocal(timezone, link.until).replace('T', ' ').slice(0, 16)
      throw refuse('venue_link_invalid', `This link expired at ${until} (${timezone}).`)
    }
    if (links_from && link.madeAt < links_from) {
      throw refuse('venue_link_invalid', 'This link has been replaced by a newer one.')
    }
    return venue
  }
