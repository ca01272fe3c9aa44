import { bookingsOnClock } from '../bookings/steps/clock-part.ts'
import { publicUrlOf, type RunConfig } from '../config/config.ts'
import { paymentsOf } from '../config/payments-config.ts'
import type { ClockPart } from '../contract/clock-part.ts'
import { groupsOnClock } from '../itineraries/steps/clock-part.ts'
import { paymentsOnClock } from '../payments/steps/clock-part.ts'
import { repliesOnClock } from '../sandbox/steps/clock-part.ts'
import { entriesOnClock } from '../waitlist/steps/clock-part.ts'
import { endpointsOnClock } from '../webhooks/steps/clock-part.ts'

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
