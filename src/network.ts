import { accountCapabilities } from './accounts/room.ts'
import { agentCapabilities } from './agents/room.ts'
import { availabilityCapabilities } from './availability/room.ts'
import { bookingCapabilities } from './bookings/room.ts'
import { clockCapabilities } from './clocks/room.ts'
import { confirmationCapabilities } from './confirmation/room.ts'
import type { Capability } from './contract/capability.ts'
import { itineraryCapabilities, withAlternatives } from './itineraries/room.ts'
import { ledgerCapabilities } from './ledger/room.ts'
import { paymentCapabilities } from './payments/room.ts'
import { venueCapabilities } from './venues/room.ts'
import { waitlistCapabilities } from './waitlist/room.ts'
import { webhookCapabilities } from './webhooks/room.ts'
import { withPayments } from './x402/operations/with-payments.ts'

/** Everything the network can do, under its name at each door. The doors are loops over it. */
export const catalogue: readonly Capability[] = [
  ...venueCapabilities,
  ...availabilityCapabilities,
  ...withPayments(withAlternatives(bookingCapabilities)),
  ...confirmationCapabilities,
  ...itineraryCapabilities,
  ...waitlistCapabilities,
  ...agentCapabilities,
  ...webhookCapabilities,
  ...withPayments(accountCapabilities),
  ...clockCapabilities,
  ...ledgerCapabilities,
  ...withPayments(paymentCapabilities),
]
