import { changes } from '../bookings/capabilities.ts'
import { byId, type Capability, capability } from '../contract/capability.ts'
import { acceptOffer, refuseOffer } from './operations/answer-offer.ts'

const offer = 'POST /api/bookings/{id}/offer'

/** Answering a venue's counter-offer. */
export const confirmationCapabilities: readonly Capability[] = [
  capability(acceptOffer, `${offer}/accept`, 'booking.accept_offer', byId, changes),
  capability(refuseOffer, `${offer}/refuse`, 'booking.refuse_offer', byId, changes),
]
