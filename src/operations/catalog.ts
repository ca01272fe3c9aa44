import { amendBooking } from './amend-booking.ts'
import { acceptOffer, refuseOffer } from './answer-offer.ts'
import { bookingTimeline } from './booking-timeline.ts'
import { cancelBooking } from './cancel-booking.ts'
import { cancelItinerary } from './cancel-itinerary.ts'
import { cancelWatch } from './cancel-watch.ts'
import { extendHold, releaseHold } from './change-hold.ts'
import { checkAvailability } from './check-availability.ts'
import { confirmBooking } from './confirm-booking.ts'
import type { Operation, Tier } from './define.ts'
import { getBooking } from './get-booking.ts'
import { getItinerary } from './get-itinerary.ts'
import { getVenue } from './get-venue.ts'
import { holdSlot } from './hold-slot.ts'
import { listAgents } from './list-agents.ts'
import { listBookings } from './list-bookings.ts'
import { listFees } from './list-fees.ts'
import { listVenues } from './list-venues.ts'
import { makeItinerary } from './make-itinerary.ts'
import { ping } from './ping.ts'
import { readFeed } from './read-feed.ts'
import { getWatch, listWatches } from './read-watches.ts'
import { searchVenues } from './search-venues.ts'
import { watchSlot } from './watch-slot.ts'

/** How REST says more than 200 and a body; `output` is what the operation answered. */
export type RestAnswer = { status: number; headers: Record<string, string> }

/** An answer of REST that is a file of another type than JSON. */
export type RestFile<T> = {
  type: string
  nameOf(output: T): string
  render(output: T, publicUrl: string): string
}

/** An operation and its names at each door, with an example of its input. `tier` overrides the operation's at REST. */
export type Capability<O extends Operation = Operation> = {
  operation: O
  example: Record<string, unknown>
  rest: {
    route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /api/${string}`
    tier?: Tier
    /** field of the operation by the name of its query parameter */
    rename?: Record<string, string>
    /** statuses of a success, when it is not 200 alone */
    statuses?: Record<number, string>
    answer?(output: Awaited<ReturnType<O['run']>>): RestAnswer
    /** for an answer that is not JSON */
    file?: RestFile<Awaited<ReturnType<O['run']>>>
  }
  a2a: string
  mcp?: { tool: string; annotations: Annotations }
}

/** MCP tool annotations, each said explicitly. */
export type Annotations = {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

const reads: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
const books: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
}

const cancels: Annotations = { ...books, destructiveHint: true }

type Answered = {
  status: string
  booking: { id: string }
  joined?: boolean | undefined
  replayed?: boolean | undefined
}

const later = 'Not decided within `Prefer: wait=N` seconds: read the booking at `Location`'
const laterAnswer = ({ booking }: Answered): RestAnswer => ({
  status: 202,
  headers: { location: `/api/bookings/${booking.id}`, 'retry-after': '2' },
})

/** How REST answers an operation that makes a booking. */
const creates = (made: string) => ({
  statuses: {
    200: 'The stored answer to an earlier request (`Idempotent-Replayed: true`), or its booking',
    201: made,
    202: later,
  },
  answer(output: Answered): RestAnswer {
    if (output.status === 'pending') return laterAnswer(output)
    const headers = { location: `/api/bookings/${output.booking.id}` }
    return { status: output.joined || output.replayed ? 200 : 201, headers }
  },
})

/** How REST answers an operation that changes a booking. */
const changes = {
  statuses: { 200: 'Done', 202: later },
  answer: (output: Answered): RestAnswer =>
    output.status === 'pending' ? laterAnswer(output) : { status: 200, headers: {} },
}

type Itinerary = {
  status: string
  itinerary: { id: string }
  replayed?: boolean | undefined
  joined?: boolean | undefined
}

/** How REST answers what makes or cancels an itinerary; `done` is the status of a success. */
const aboutItinerary = (done: 200 | 201) => ({
  statuses: {
    200: 'Done, or the answer to an earlier request',
    ...(done === 201 && { 201: 'Booked' }),
    202: 'Not decided within `Prefer: wait=N` seconds: read the itinerary at `Location`',
  },
  answer({ status, itinerary, replayed, joined }: Itinerary): RestAnswer {
    const headers = { location: `/api/itineraries/${itinerary.id}` }
    if (status === 'pending') return { status: 202, headers: { ...headers, 'retry-after': '2' } }
    return { status: replayed || joined ? 200 : done, headers: done === 201 ? headers : {} }
  },
})

const capability = <O extends Operation>(entry: Capability<O>): Capability => entry as Capability

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
  capability({
    operation: listAgents,
    example: {},
    rest: { route: 'GET /api/agents/public' },
    a2a: 'agent.list',
  }),
  capability({
    operation: readFeed,
    example: {},
    rest: { route: 'GET /api/feed' },
    a2a: 'network.feed',
  }),
  capability({
    operation: listFees,
    example: { month: '2026-12' },
    rest: { route: 'GET /api/fees' },
    a2a: 'fee.list',
  }),
]
