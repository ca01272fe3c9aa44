/** Every booking status; decision 0016 lists the steps between them. */
export const bookingStatuses = [
  'held',
  'pending',
  'offered',
  'confirmed',
  'completed',
  'no_show',
  'declined',
  'expired',
  'released',
  'cancelled',
  'failed',
] as const
export type BookingStatus = (typeof bookingStatuses)[number]

/** Who ended a booking. */
export const cancellers = ['guest', 'agent', 'venue', 'network', 'operator'] as const
export type CancelledBy = (typeof cancellers)[number]
