import { changes } from '../bookings/operations/rest-answers.ts'
import type { SweepDeps } from '../bookings/steps/sweep.ts'
import { byId, capability, commits } from '../contract/capability.ts'
import type { Room } from '../contract/room.ts'
import { sealedColumn } from '../platform/sealing/sealed-columns.ts'
import { confirmationHooks } from './hooks.ts'
import { acceptOffer, refuseOffer } from './operations/answer-offer.ts'
import { deliverVenueResponses } from './steps/deliver-venue-responses.ts'
import { showReadings } from './steps/venue-metrics.ts'
import { connectorContext } from './store/connectors.ts'

const offer = 'POST /api/bookings/{id}/offer'

const capabilities = [
  capability(acceptOffer, `${offer}/accept`, 'booking.accept_offer', byId, {
    ...changes,
    mcp: commits('answer_offer', 'accept'),
  }),
  capability(refuseOffer, `${offer}/refuse`, 'booking.refuse_offer', byId, {
    ...changes,
    mcp: commits('answer_offer', 'refuse'),
  }),
]

/** Confirmation of bookings by venues, and answers to their counter-offers. */
export const confirmation = {
  name: 'confirmation',
  capabilities,
  bookingHooks: () => confirmationHooks,
  schedules: [
    {
      workflow: 'mirror',
      every: '10m',
      longest: '15m',
      rounds: { count: 30, seconds: 20 },
      does: 'Reads availability from connected venues',
    },
  ],
  sealed: [
    sealedColumn('secrets of connected venues', 'connector.venue_id', 'secret', connectorContext),
  ],
  gauges: showReadings,
  sweep: (deps: SweepDeps) => ({
    responses: (at: Date) => deliverVenueResponses(deps, at),
  }),
  activities: {
    bookings: async () =>
      (await import('../../activities/confirmation.ts')).createConfirmationActivities,
    venues: async () => (await import('../../activities/confirmation.ts')).createVenueActivities,
  },
} as const satisfies Room
