import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { toLocal } from '../../base/local-time.ts'
import { venueLinkId } from '../../confirmation/rules/venue-link.ts'
import { connectorContext, selectOptionalConnector } from '../../confirmation/store/connectors.ts'
import { type PageVenue, selectOptionalPageVenue } from '../../confirmation/store/venue-links.ts'
import { isPersonToken, SIGNED_IN_DAYS } from '../../notices/rules/person-link.ts'
import { selectOptionalPerson } from '../../notices/store/people.ts'
import type { Db } from '../../platform/database/sql.ts'
import { verify } from '../../platform/http/signature.ts'
import { datedTokenPattern, idOfDatedToken } from '../../platform/sealing/link-tokens.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { bodyBytes } from '../http/json-body.ts'
import { createCookie } from './session.ts'

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

/** How a device remembers who, at each venue, gave their PIN on it. */
export const personCookie = (publicUrl: string, venueId: string) =>
  createCookie(publicUrl, {
    // The end of the id, because venues that are imported together share its beginning.
    name: `venue_person_${venueId.slice(-12)}`,
    pattern: datedTokenPattern,
    maxAgeSeconds: SIGNED_IN_DAYS * 86_400,
  })

const opened = new WeakMap<object, PageVenue>()

/** The venue whose page a request has opened, to show even a refusal under its name. */
export const openedVenue = (request: FastifyRequest): PageVenue | undefined => opened.get(request)

export type LinkRequest = FastifyRequest<{ Params: { token: string } }>

/** Opens venues' links; see docs/operate/venue-page.md. */
export function createVenueLinks(db: Db, sealer: Sealer, publicUrl: string) {
  /** Finds the venue to whose page a valid link leads, and who uses the page, if that is known. */
  async function openLink(request: LinkRequest, at = new Date()): Promise<PageVenue> {
    const id = venueLinkId(sealer, request.params.token)
    const venue = id && (await selectOptionalPageVenue(db, id))
    if (!venue) throw refuse('venue_link_invalid')
    const { timezone, expires_at, revoked_at } = venue
    if (revoked_at) throw refuse('venue_link_invalid', 'This link has been revoked.')
    if (expires_at <= at) {
      const until = toLocal(timezone, expires_at).replace('T', ' ').slice(0, 16)
      throw refuse('venue_link_invalid', `This link expired at ${until} (${timezone}).`)
    }
    const pageVenue = { ...venue, person: await personOf(request, venue.id, at) }
    opened.set(request, pageVenue)
    return pageVenue
  }

  async function personOf(request: FastifyRequest, venueId: string, at: Date) {
    const token = personCookie(publicUrl, venueId).read(request)
    const person = token && (await selectOptionalPerson(db, idOfDatedToken(token)))
    if (!person || person.venue_id !== venueId || person.removed_at) return null
    const { id, name, role } = person
    return isPersonToken(sealer, person, token, at) ? { id, name, role } : null
  }

  return {
    openVenueForAnyone: openLink,
    /** Like `openVenueForAnyone`; throws `person_required` if a person must sign in first. */
    async openVenueLink(request: LinkRequest): Promise<PageVenue> {
      const venue = await openLink(request)
      if (venue.has_people && !venue.person) throw refuse('person_required')
      return venue
    },
  }
}
