import { keyCapabilities } from './accounts/operations/key-capabilities.ts'
import { agentCapabilities } from './agents/operations/agent-capabilities.ts'
import { ping } from './agents/operations/ping.ts'
import { readFeed } from './agents/operations/read-feed.ts'
import { checkAvailability } from './availability/operations/check-availability.ts'
import { amendBooking } from './bookings/operations/amend-booking.ts'
import { bookingEvents } from './bookings/operations/booking-events.ts'
import { bookingTimeline } from './bookings/operations/booking-timeline.ts'
import { cancelBooking } from './bookings/operations/cancel-booking.ts'
import { extendHold, releaseHold } from './bookings/operations/change-hold.ts'
import { confirmBooking } from './bookings/operations/confirm-booking.ts'
import { getBooking } from './bookings/operations/get-booking.ts'
import { holdSlot } from './bookings/operations/hold-slot.ts'
import { listBookings } from './bookings/operations/list-bookings.ts'
import { listFees } from './bookings/operations/list-fees.ts'
import { acceptOffer, refuseOffer } from './confirmation/operations/answer-offer.ts'
import {
  aboutItinerary,
  books,
  type Capability,
  cancels,
  capability,
  changes,
  creates,
  reads,
} from './contract/capability.ts'
import { cancelItinerary } from './itineraries/operations/cancel-itinerary.ts'
import { getItinerary } from './itineraries/operations/get-itinerary.ts'
import { makeItinerary } from './itineraries/operations/make-itinerary.ts'
import { getVenue } from './venues/operations/get-venue.ts'
import { listVenues } from './venues/operations/list-venues.ts'
import { searchVenues } from './venues/operations/search-venues.ts'
import { cancelWatch } from './waitlist/operations/cancel-watch.ts'
import { getWatch, listWatches } from './waitlist/operations/read-watches.ts'
import { watchSlot } from './waitlist/operations/watch-slot.ts'
import { deliveryCapabilities } from './webhooks/operations/delivery-capabilities.ts'
import { endpointCapabilities } from './webhooks/operations/endpoint-capabilities.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'

/** Everything that the network can do and what it is called where; the doors are loops over this table. */
export const catalogue: readonly Capability[] = [
  capability({
    operation: ping,
    example: {},
    rest: { route: 'GET /api/ping' },
    a2a: 'network.ping',
  }),
  capability({
    operation: searchVenues,
    example: { query: 'sushi in Canggu' },
    rest: { route: 'GET /api/venues/search', rename: { q: 'query' } },
    a2a: 'booking.search',
    mcp: { tool: 'search_venues', annotations: reads },
  }),
  capability({
    operation: listVenues,
    example: { category: 'spa', area: 'ubud' },
    rest: { route: 'GET /api/venues', tier: 'open' },
    a2a: 'venue.list',
    mcp: { tool: 'list_venues', annotations: reads },
  }),
  capability({
    operation: getVenue,
    example: { slug: 'kelapa-bathhouse-ubud' },
    rest: { route: 'GET /api/venues/{slug}', tier: 'open' },
    a2a: 'venue.get',
    mcp: { tool: 'get_venue', annotations: reads },
  }),
  capability({
    operation: checkAvailability,
    example: { slug: 'kelapa-bathhouse-ubud', party_size: 2 },
    rest: { route: 'GET /api/venues/{slug}/availability' },
    a2a: 'venue.availability',
    mcp: { tool: 'check_availability', annotations: reads },
  }),
  capability({
    operation: holdSlot,
    example: { venue_id: exampleId, slot_time: '2026-12-24T19:00:00', party_size: 2 },
    rest: { route: 'POST /api/holds', ...creates('Held') },
    a2a: 'booking.hold',
  }),
  capability({
    operation: extendHold,
    example: { id: exampleId },
    rest: { route: 'POST /api/holds/{id}/extend', ...changes },
    a2a: 'booking.extend',
  }),
  capability({
    operation: releaseHold,
    example: { id: exampleId },
    rest: { route: 'POST /api/holds/{id}/release', ...changes },
    a2a: 'booking.release',
  }),
  capability({
    operation: confirmBooking,
    example: { venue_id: exampleId, slot_time: '2026-12-24T19:00:00', party_size: 2 },
    rest: { route: 'POST /api/bookings', ...creates('Booked') },
    a2a: 'booking.confirm',
    mcp: { tool: 'confirm_booking', annotations: books },
  }),
  capability({
    operation: getBooking,
    example: { id: exampleId },
    rest: { route: 'GET /api/bookings/{id}' },
    a2a: 'booking.get',
    mcp: { tool: 'get_booking', annotations: reads },
  }),
  capability({
    operation: amendBooking,
    example: { id: exampleId, party_size: 3, dry_run: true },
    rest: { route: 'PATCH /api/bookings/{id}', ...changes },
    a2a: 'booking.amend',
  }),
  capability({
    operation: cancelBooking,
    example: { id: exampleId },
    rest: { route: 'POST /api/bookings/{id}/cancel', ...changes },
    a2a: 'booking.cancel',
    mcp: { tool: 'cancel_booking', annotations: cancels },
  }),
  capability({
    operation: acceptOffer,
    example: { id: exampleId },
    rest: { route: 'POST /api/bookings/{id}/offer/accept', ...changes },
    a2a: 'booking.accept_offer',
  }),
  capability({
    operation: refuseOffer,
    example: { id: exampleId },
    rest: { route: 'POST /api/bookings/{id}/offer/refuse', ...changes },
    a2a: 'booking.refuse_offer',
  }),
  capability({
    operation: listBookings,
    example: { status: 'confirmed' },
    rest: { route: 'GET /api/bookings' },
    a2a: 'booking.list',
  }),
  capability({
    operation: bookingTimeline,
    example: { id: exampleId },
    rest: { route: 'GET /api/bookings/{id}/timeline' },
    a2a: 'booking.timeline',
  }),
  capability({
    operation: bookingEvents,
    example: { id: exampleId },
    rest: { route: 'GET /api/bookings/{id}/events' },
    a2a: 'booking.events',
  }),
  capability({
    operation: makeItinerary,
    example: {
      parts: [
        { venue_id: exampleId, slot_time: '2026-12-24T15:00:00', party_size: 2 },
        { venue_id: exampleId, slot_time: '2026-12-24T19:00:00', party_size: 2 },
      ],
    },
    rest: { route: 'POST /api/itineraries', ...aboutItinerary(201) },
    a2a: 'booking.itinerary',
  }),
  capability({
    operation: getItinerary,
    example: { id: exampleId },
    rest: { route: 'GET /api/itineraries/{id}' },
    a2a: 'booking.itinerary_get',
  }),
  capability({
    operation: cancelItinerary,
    example: { id: exampleId },
    rest: { route: 'POST /api/itineraries/{id}/cancel', ...aboutItinerary(200) },
    a2a: 'booking.itinerary_cancel',
  }),
  capability({
    operation: watchSlot,
    example: { venue_id: exampleId, slot_time: '2026-12-24T19:00:00', party_size: 2 },
    rest: {
      route: 'POST /api/watches',
      statuses: { 200: 'You watch this slot already', 201: 'In the queue' },
      answer: ({ watch, joined, replayed }) => ({
        status: joined || replayed ? 200 : 201,
        headers: { location: `/api/watches/${watch.id}` },
      }),
    },
    a2a: 'booking.watch',
  }),
  capability({
    operation: getWatch,
    example: { id: exampleId },
    rest: { route: 'GET /api/watches/{id}' },
    a2a: 'booking.get_watch',
  }),
  capability({
    operation: listWatches,
    example: { status: 'watching' },
    rest: { route: 'GET /api/watches' },
    a2a: 'booking.watches',
  }),
  capability({
    operation: cancelWatch,
    example: { id: exampleId },
    rest: { route: 'POST /api/watches/{id}/cancel' },
    a2a: 'booking.cancel_watch',
  }),
  ...agentCapabilities,
  capability({
    operation: readFeed,
    example: {},
    rest: { route: 'GET /api/feed', live: true },
    a2a: 'network.feed',
  }),
  capability({
    operation: listFees,
    example: { month: '2026-12' },
    rest: { route: 'GET /api/fees' },
    a2a: 'fee.list',
  }),
  ...endpointCapabilities,
  ...deliveryCapabilities,
  ...keyCapabilities,
]
