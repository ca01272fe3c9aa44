/** Queue of the workflows and their database steps. */
export const BOOKINGS_QUEUE = 'bookings'
/** Queue of the calls to venues. */
export const VENUES_QUEUE = 'venues'
/** Queue of the activities that wait for the bookings of a group: their long waits take no place from the bookings' own steps. */
export const GROUPS_QUEUE = 'groups'
/** Queue of the requests to subscribers. */
export const WEBHOOKS_QUEUE = 'webhooks'

/** Custom search attributes for operators in the Temporal UI, with their types. */
export const searchAttributeTypes = {
  BookingStatus: 'KEYWORD',
  VenueSlug: 'KEYWORD',
  AccountId: 'KEYWORD',
  EndpointId: 'KEYWORD',
  SlotTime: 'DATETIME',
} as const
