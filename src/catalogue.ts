import { accountCapabilities } from './accounts/capabilities.ts'
import { agentCapabilities } from './agents/capabilities.ts'
import { availabilityCapabilities } from './availability/capabilities.ts'
import { bookingCapabilities } from './bookings/capabilities.ts'
import { clockCapabilities } from './clocks/capabilities.ts'
import { confirmationCapabilities } from './confirmation/capabilities.ts'
import type { Capability } from './contract/capability.ts'
import { itineraryCapabilities, withAlternatives } from './itineraries/capabilities.ts'
import { ledgerCapabilities } from './ledger/capabilities.ts'
import { paymentCapabilities } from './payments/capabilities.ts'
import { venueCapabilities } from './venues/capabilities.ts'
import { waitlistCapabilities } from './waitlist/capabilities.ts'
import { webhookCapabilities } from './webhooks/capabilities.ts'
import { withPayments } from './x402/with-payments.ts'

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
