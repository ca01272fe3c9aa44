import { changes } from '../bookings/room.ts'
import { books, byId, type Capability, cancels, capability } from '../contract/capability.ts'
import { acceptOffer, refuseOffer } from './operations/answer-offer.ts'

const offer = 'POST /api/bookings/{id}/offer'

/** Answering a venue's counter-offer. */
export const confirmationCapabilities: readonly Capability[] = [
  capability(acceptOffer, `${offer}/accept`, 'booking.accept_offer', byId, {
    ...changes,
    mcp: books('answer_offer', 'accept'),
  }),
  capability(refuseOffer, `${offer}/refuse`, 'booking.refuse_offer', byId, {
    ...changes,
    mcp: cancels('answer_offer', 'refuse'),
  }),
]
