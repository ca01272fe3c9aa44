import { confirmBooking } from '../bookings/operations/confirm-booking.ts'
import { aboutItinerary, type Capability, capability } from '../contract/capability.ts'
import { cancelItinerary } from './operations/cancel-itinerary.ts'
import { confirmAnyOf } from './operations/confirm-any-of.ts'
import { getItinerary } from './operations/get-itinerary.ts'
import { makeItinerary } from './operations/make-itinerary.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'

/** The same capabilities, where `confirm booking` takes `alternatives` too. */
export const withAlternatives = (capabilities: readonly Capability[]): readonly Capability[] =>
  capabilities.map((one) =>
    one.operation.name === confirmBooking.name
      ? capability({ ...one, operation: confirmAnyOf as Capability['operation'] })
      : one,
  )

/** Several bookings, all or none. */
export const itineraryCapabilities: readonly Capability[] = [
  capability({
    operation: makeItinerary,
    example: {
      parts: [
        { venue_id: exampleId, slot_time: '2026-12-24T15:00:00', party_size: 2 },
        { venue_id: exampleId, slot_time: '2026-12-24T19:00:00', party_size: 2 },
      ],
    },
    rest: { route: 'POST /api/itineraries', ...aboutItinerary(201) },
    a2a: 'itinerary.create',
    a2aAliases: ['booking.itinerary'],
  }),
  capability({
    operation: getItinerary,
    example: { id: exampleId },
    rest: { route: 'GET /api/itineraries/{id}' },
    a2a: 'itinerary.get',
    a2aAliases: ['booking.itinerary_get'],
  }),
  capability({
    operation: cancelItinerary,
    example: { id: exampleId },
    rest: { route: 'POST /api/itineraries/{id}/cancel', ...aboutItinerary(200) },
    a2a: 'itinerary.cancel',
    a2aAliases: ['booking.itinerary_cancel'],
  }),
]
