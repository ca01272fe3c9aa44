import ical, { ICalEventStatus } from 'ical-generator'
import { z } from 'zod'
import type { BookingStatus } from '../../base/booking-status.ts'
import { counted } from '../../base/counted.ts'
import { networkProfile } from '../../base/network.ts'
import { directionsUrl, placeLines } from '../../base/venue-place.ts'
import { booking, venue } from '../../contract/public.ts'
import { serviceWords } from '../rules/service-words.ts'

/** What a calendar entry needs from a booking. No guest details. */
const calendarEntry = z.object({
  booking,
  place: venue.pick({
    area: true,
    city: true,
    country: true,
    latitude: true,
    longitude: true,
    address: true,
    phone: true,
  }),
})
export type CalendarEntry = z.infer<typeof calendarEntry>

const { TENTATIVE, CONFIRMED, CANCELLED } = ICalEventStatus

// RFC 5545, 3.8.1.11
const statusOf: Record<BookingStatus, ICalEventStatus> = {
  held: TENTATIVE,
  pending: TENTATIVE,
  offered: TENTATIVE,
  confirmed: CONFIRMED,
  completed: CONFIRMED,
  no_show: CANCELLED,
  declined: CANCELLED,
  expired: CANCELLED,
  released: CANCELLED,
  cancelled: CANCELLED,
  failed: CANCELLED,
}

/** The human-readable text of an entry; `unbooked` precedes the summary if nothing is booked. */
type Words = {
  summary: string
  unbooked: string
  description: string
  price: string | null
  directions: string
}

function wordsOf(booking: CalendarEntry['booking']): Words {
  const { id, venue, status, party_size, timezone } = booking
  const guests = counted(party_size, 'guest')
  const { slot_time } = booking.offer ?? booking
  const local = `${slot_time.slice(0, 16).replace('T', ' ')} at the venue (${timezone})`
  return {
    summary: [venue.name, serviceWords(booking), guests].filter(Boolean).join(', '),
    unbooked: status === 'cancelled' ? 'Cancelled' : 'Not booked',
    description: `Booking ${id}: ${status}. ${local}.`,
    price: booking.service?.price?.total ?? null,
    directions: 'Directions',
  }
}

// Omits METHOD, which would require an ORGANIZER (RFC 5546, 3.2.1). DTSTAMP is the last change, so
// that the same state yields the same bytes. The summary serves programs that ignore STATUS.
function render(
  { booking, place }: CalendarEntry,
  publicUrl: string,
  { summary, unbooked, description, price, directions }: Words = wordsOf(booking),
): string {
  const { id, venue, status } = booking
  const { starts_at, ends_at } = booking.offer ?? booking
  const isBooked = status === 'confirmed' || status === 'completed'
  const host = new URL(publicUrl).hostname
  const calendar = ical({ prodId: `//${networkProfile.name}//Bookings//EN` })
  calendar.createEvent({
    id: `${id}@${host}`,
    sequence: booking.revision,
    status: statusOf[status],
    stamp: booking.updated_at,
    created: booking.created_at,
    lastModified: booking.updated_at,
    start: new Date(starts_at),
    end: ends_at === null ? null : new Date(ends_at),
    summary: isBooked || status === 'no_show' ? summary : `${unbooked}: ${summary}`,
    description: [description, price, place.phone, `${directions}: ${directionsUrl(place)}`]
      .filter(Boolean)
      .join('\n'),
    location: {
      title: [...new Set([venue.name, ...placeLines(place), place.country])].join(', '),
      geo: { lat: place.latitude, lon: place.longitude },
    },
  })
  return calendar.toString()
}

/** A booking as an iCalendar file. */
export const calendarFile = {
  // RFC 5545, 8.1
  type: 'text/calendar; charset=utf-8',
  nameOf: ({ booking }: CalendarEntry) => `booking-${booking.id}.ics`,
  render,
}
