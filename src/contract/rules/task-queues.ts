/** Workflows and their database steps. */
export const BOOKINGS_QUEUE = 'bookings'
/** Calls to venues. */
export const VENUES_QUEUE = 'venues'
/** Long waits for the bookings of a group; apart, so that they never delay a booking's steps. */
export const GROUPS_QUEUE = 'groups'
/** Requests to subscribers. */
export const WEBHOOKS_QUEUE = 'webhooks'

/** Custom search attributes for operators in the Temporal UI, with their types. */
export const searchAttributeTypes = {
  BookingStatus: 'KEYWORD',
  VenueSlug: 'KEYWORD',
  AccountId: 'KEYWORD',
  EndpointId: 'KEYWORD',
  /** of an endpoint: active, failing, paused, disabled, unverified or deleted */
  EndpointStatus: 'KEYWORD',
  /** of an endpoint: the first events, and their bookings, that failed and are tried again */
  FailingEvents: 'KEYWORD_LIST',
  FailingBookings: 'KEYWORD_LIST',
  /** Of a booking, the itinerary or the alternatives that it is part of; of those, their own id. */
  GroupId: 'KEYWORD',
  /** local to the venue, `2026-11-24 19:00` */
  SlotLocal: 'KEYWORD',
  SlotTime: 'DATETIME',
} as const
