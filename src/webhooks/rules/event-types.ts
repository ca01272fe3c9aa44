/** Every event type; endpoints subscribe to a selection. */
export const eventTypes = [
  'booking.held',
  'booking.pending',
  'booking.offered',
  'booking.confirmed',
  'booking.declined',
  'booking.expired',
  'booking.released',
  'booking.amended',
  'booking.cancelled',
  'booking.reminder',
  'booking.completed',
  'booking.no_show',
  'booking.failed',
  'fee.accrued',
  'fee.reversed',
  'invoice.created',
  'invoice.paid',
  'venue.availability_opened',
  'endpoint.failing',
  'endpoint.disabled',
  'endpoint.test',
] as const
export type EventType = (typeof eventTypes)[number]

/** An event as shown to operators: `booking.confirmed #7`. */
export const eventName = (type: string, number: number): string => `${type} #${number}`

/** The possible subscriptions: everything, one type, or all types of a subject. */
export const eventFilters: readonly string[] = [
  '*',
  ...new Set(eventTypes.map((type) => `${type.split('.')[0]}.*`)),
  ...eventTypes,
]
