import ical, { ICalEventStatus } from 'ical-generator'
import type { CalendarEntry } from '../../bookings/operations/read-calendar.ts'
import type { BookingStatus } from '../../contract/rules/booking-status.ts'
import { networkProfile } from '../../contract/rules/network.ts'

const { TENTATIVE, CONFIRMED, CANCELLED } = ICalEventStatus

// RFC 5545, 3.8.1.11
const statusOf: Record<BookingStatus, ICalEventStatus> = {
  held: TENTATIVE,
  pending: TENTATIVE,
  offered: TENTATIVE,
  confirmed: CONFIRMED,
  completed: CONFIRMED,
  no_show: CONFIRMED,
  declined: CANCELLED,
  expired: CANCELLED,
  released: CANCELLED,
  cancelled: CANCELLED,
  failed: CANCELLED,
}

/**
 * The booking as an iCalendar object (RFC 5545) with one event, in UTC. Without METHOD, which would call for an ORGANIZER
 * (RFC 5546, 3.2.1). DTSTAMP is when the booking last changed, so that the same state has the same bytes.
 */
export function icalendarOf({ booking, place }: CalendarEntry, host: string): string {
  const { id, venue, status, party_size, revision } = booking
  const guests = party_size === 1 ? '1 guest' : `${party_size} guests`
  const calendar = ical({ prodId: `//${networkProfile.name}//Bookings//EN` })
  calendar.createEvent({
    id: `${id}@${host}`,
    sequence: revision,
    status: statusOf[status],
    stamp: booking.updated_at,
    created: booking.created_at,
    lastModified: booking.updated_at,
    start: new Date(booking.starts_at),
    end: booking.ends_at === null ? null : new Date(booking.ends_at),
    summary: `${venue.name}, ${guests}`,
    description: `Booking ${id}: ${status}. ${booking.slot_time.slice(0, 16).replace('T', ' ')} at the venue (${booking.timezone}).`,
    location: {
      title: [...new Set([venue.name, place.area, place.city, place.country])].join(', '),
      geo: { lat: place.latitude, lon: place.longitude },
    },
  })
  return calendar.toString()
}
