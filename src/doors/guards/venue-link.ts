import { type PageVenue, selectOptionalPageVenue } from '../../confirmation/store/venue-contacts.ts'
import { openVenueToken } from '../../confirmation/venue-link.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { toLocal } from '../../contract/rules/local-time.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'

/** The venue whose page the token of a link opens; throws `venue_link_invalid` for one that is forged, expired or revoked. */
export type OpenVenueLink = (token: string) => Promise<PageVenue>

/** Tells by its link whether somebody belongs to a venue (docs/operate/venue-page.md). */
export function createOpenVenueLink(db: Db, sealer: Sealer): OpenVenueLink {
  return async (token) => {
    const link = openVenueToken(sealer, token)
    const venue = link && (await selectOptionalPageVenue(db, link.venueId))
    if (!link || !venue) throw refuse('venue_link_invalid')
    const { timezone, links_from } = venue
    if (link.until <= new Date()) {
      const until = toLocal(timezone, link.until).replace('T', ' ').slice(0, 16)
      throw refuse('venue_link_invalid', `This link was good until ${until} (${timezone}).`)
    }
    if (links_from && link.madeAt < links_from) {
      throw refuse('venue_link_invalid', 'This link has been replaced by a newer one.')
    }
    return venue
  }
}
