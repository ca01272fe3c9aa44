import { MINUTE_MS } from '../../base/durations.ts'
import type { VenueRequest } from '../store/venue-requests.ts'

/** The requests to a venue about a booking; see docs/protocols/venue-connector.md. */
export type VenueMessageType =
  | 'booking.confirm'
  | 'booking.status'
  | 'booking.amend'
  | 'booking.cancel'

/** The address for a venue's responses; see `answer_url` in docs/protocols/venue-connector.md. */
export const answerUrl = (publicUrl: string, venueId: string): string =>
  `${publicUrl}/api/venue-connector/${venueId}`

/** The message as the venue receives it. */
export function messageTo(booking: VenueRequest, type: VenueMessageType, publicUrl: string) {
  const { booking_id, venue_id } = booking
  if (type === 'booking.status') return { type, booking_id, venue_id }
  if (type === 'booking.cancel') {
    return { type, booking_id, revision: booking.revision, venue_id, reason: booking.reason_code }
  }
  return {
    type,
    booking_id,
    revision: booking.asked_revision,
    venue_id,
    venue_slug: booking.venue_slug,
    service: booking.service,
    minutes: (booking.ends_at.getTime() - booking.starts_at.getTime()) / MINUTE_MS,
    with: booking.leaders ?? [],
    slot_time: booking.slot_time,
    timezone: booking.timezone,
    starts_at: booking.starts_at.toISOString(),
    ends_at: booking.ends_at.toISOString(),
    party_size: booking.party_size,
    guest: guestOf(booking),
    notes: booking.notes,
    answer_by: booking.answer_by?.toISOString() ?? null,
    answer_url: answerUrl(publicUrl, venue_id),
  }
}

function guestOf({ name, phone, email }: VenueRequest) {
  if (name === null) return null
  return { name, ...(phone && { phone }), ...(email && { email }) }
}
