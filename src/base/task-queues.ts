/** Runs all other workflows and their database steps. */
export const BOOKINGS_QUEUE = 'bookings'
/** Calls to venues. */
export const VENUES_QUEUE = 'venues'
/** Runs deliveries to subscribers: their workflows and HTTP requests. */
export const WEBHOOKS_QUEUE = 'webhooks'

/** Every queue, in the order in which a process starts its workers. */
export const workerQueues = [BOOKINGS_QUEUE, VENUES_QUEUE, WEBHOOKS_QUEUE] as const
export type WorkerQueue = (typeof workerQueues)[number]

/** Custom search attributes for operators using the Temporal UI, with their types. */
export const searchAttributeTypes = {
  BookingStatus: 'KEYWORD',
  VenueSlug: 'KEYWORD',
  AccountId: 'KEYWORD',
  EndpointId: 'KEYWORD',
  /** of an endpoint: the host and port in its URL, `hooks.example.com` */
  EndpointHost: 'KEYWORD',
  /** Of an endpoint: active, failing, paused, disabled, unverified or deleted */
  EndpointStatus: 'KEYWORD',
  /** of an endpoint: the first events being retried after a failure, with their bookings */
  FailingEvents: 'KEYWORD_LIST',
  FailingBookings: 'KEYWORD_LIST',
  /** the id of an itinerary or set of alternatives, on its workflow and on its bookings' */
  GroupId: 'KEYWORD',
  /** local to the venue, `2026-11-24 19:00` */
  SlotLocal: 'KEYWORD',
  SlotTime: 'DATETIME',
} as const
