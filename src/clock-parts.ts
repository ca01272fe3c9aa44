import { bookingsOnClock } from './bookings/clock-part.ts'
import { publicUrlOf, type RunConfig } from './config.ts'
import type { ClockPart } from './contract/clock-part.ts'
import { groupsOnClock } from './itineraries/clock-part.ts'
import { paymentsOnClock } from './payments/clock-part.ts'
import { paymentsOf } from './payments-config.ts'
import { repliesOnClock } from './sandbox/clock-part.ts'
import { entriesOnClock } from './waitlist/clock-part.ts'
import { endpointsOnClock } from './webhooks/clock-part.ts'

/** Everything that waits for the time of its account, where no payments are collected. */
export const clockParts: readonly ClockPart[] = [
  bookingsOnClock,
  groupsOnClock,
  entriesOnClock,
  endpointsOnClock,
  repliesOnClock,
]

/** Everything in this network that waits for the time of its account. */
export const clockPartsOf = (config: RunConfig): readonly ClockPart[] =>
  paymentsOf(config) === 'none' ? clockParts : [...clockParts, paymentsOnClock(publicUrlOf(config))]
