import { type Capability, capability, changes } from '../contract/capability.ts'
import { acceptOffer, refuseOffer } from './operations/answer-offer.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'

/** Answering a venue's counter-offer. */
export const confirmationCapabilities: readonly Capability[] = [
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
]
