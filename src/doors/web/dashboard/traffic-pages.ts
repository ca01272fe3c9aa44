import { booking } from './booking.ts'
import { bookings } from './bookings.ts'
import { deliveries } from './deliveries.ts'
import { delivery } from './delivery.ts'
import { deliveryTail } from './delivery-tail.ts'
import { endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { eventTypePages } from './event-types.ts'
import { events } from './events.ts'
import { operators } from './operators.ts'
import { replays } from './replays.ts'

/** The pages of what goes on: bookings, their events, and where those are delivered. */
export const trafficPages = [
  bookings,
  booking,
  endpoints,
  endpoint,
  deliveries,
  deliveryTail,
  delivery,
  replays,
  events,
  eventTypePages,
  operators,
]
