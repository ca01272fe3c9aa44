import type { FastifyRequest } from 'fastify'
import { connectorContext, selectOptionalConnector } from '../../confirmation/store/connectors.ts'
import { refuse } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { verify } from '../../platform/http/signature.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'

/** Who spoke: a message whose signature by this venue holds. `id` is its webhook-id. */
type SignedBy = { venueId: string; id: string; receivedAt: Date }

/** Throws `venue_not_found` for a venue without a connector and `bad_signature` for a message that is not its own. */
export type VerifyVenue = (
  request: FastifyRequest,
  venueId: string,
  body: Buffer,
) => Promise<SignedBy>

const LONGEST_ID = 255

const reasons: Record<string, string> = {
  missing_header: 'The headers webhook-id, webhook-timestamp and webhook-signature are needed.',
  bad_timestamp: 'webhook-timestamp must be whole seconds since 1970.',
  too_old: 'webhook-timestamp is more than 300 seconds in the past.',
  too_new: 'webhook-timestamp is more than 300 seconds in the future.',
  no_match: 'No signature in webhook-signature matches the id, the timestamp and the raw body.',
}

/** Tells by its signature whether a message comes from the venue that it speaks for (docs/protocols/venue-connector.md). */
export function createVerifyVenue(db: Db, sealer: Sealer): VerifyVenue {
  return async (request, venueId, body) => {
    const connector = await selectOptionalConnector(db, venueId)
    if (!connector) throw refuse('venue_not_found')
    const header = (name: string) => {
      const value = request.headers[name]
      return typeof value === 'string' && value.length > 0 ? value : undefined
    }
    const id = header('webhook-id')
    const signed = {
      id,
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
    }
    const receivedAt = new Date()
    const secret = sealer.open(connector.secret, connectorContext(venueId))
    const verification = verify([secret], signed, body, receivedAt)
    if (!verification.ok) throw refuse('bad_signature', reasons[verification.reason])
    if (!id || id.length > LONGEST_ID) throw refuse('bad_signature', 'webhook-id is too long.')
    return { venueId, id, receivedAt }
  }
}
