import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { toLocal } from '../../base/local-time.ts'
import { venueLinkId } from '../../confirmation/rules/venue-link.ts'
import { connectorContext, selectOptionalConnector } from '../../confirmation/store/connectors.ts'
import { type PageVenue, selectOptionalPageVenue } from '../../confirmation/store/venue-links.ts'
import type { Db } from '../../platform/database/sql.ts'
import { verify } from '../../platform/http/signature.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { bodyBytes } from '../http/json-body.ts'

const MAX_ID_CHARS = 255
const uuid = z.uuid().toLowerCase()

const reasons: Record<string, string> = {
  missing_header: 'The headers webhook-id, webhook-timestamp and webhook-signature are required.',
  bad_timestamp: 'webhook-timestamp must be whole seconds since 1970.',
  too_old: 'webhook-timestamp is more than 300 seconds in the past.',
  too_new: 'webhook-timestamp is more than 300 seconds in the future.',
  no_match: 'No signature in webhook-signature matches the id, the timestamp and the raw body.',
}

/** Verifies a venue's signature on a request body; see docs/protocols/venue-connector.md. */
export const createVerifyVenue =
  (db: Db, sealer: Sealer) => async (request: FastifyRequest, venue: string) => {
    const venueId = uuid.safeParse(venue).data
    const connector = venueId && (await selectOptionalConnector(db, venueId))
    if (!connector) throw refuse('venue_not_found')
    const header = (name: string) => {
      const value = request.headers[`webhook-${name}`]
      return typeof value === 'string' && value.length > 0 ? value : undefined
    }
    const id = header('id')
    const signed = { id, timestamp: header('timestamp'), signature: header('signature') }
    const receivedAt = new Date()
    const secret = sealer.open(connector.secret, connectorContext(venueId))
    const verification = verify([secret], signed, bodyBytes(request), receivedAt)
    if (!verification.ok) throw refuse('bad_signature', reasons[verification.reason])
    if (!id || id.length > MAX_ID_CHARS) throw refuse('bad_signature', 'webhook-id is too long.')
    return { venueId, id, receivedAt }
  }

/** Finds the venue to whose page a valid link leads; see docs/operate/venue-page.md. */
export const createOpenVenueLink =
  (db: Db, sealer: Sealer) =>
  async (token: string): Promise<PageVenue> => {
    const id = venueLinkId(sealer, token)
    const venue = id && (await selectOptionalPageVenue(db, id))
    if (!venue) throw refuse('venue_link_invalid')
    const { timezone, expires_at, revoked_at } = venue
    if (revoked_at) throw refuse('venue_link_invalid', 'This link has been revoked.')
    if (expires_at <= new Date()) {
      const until = toLocal(timezone, expires_at).replace('T', ' ').slice(0, 16)
      throw refuse('venue_link_invalid', `This link expired at ${until} (${timezone}).`)
    }
    return venue
  }
