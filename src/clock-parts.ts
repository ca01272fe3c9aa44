import { bookingsOnClock } from './bookings/clock-part.ts'
import type { ClockPart } from './contract/clock-part.ts'
import { groupsOnClock } from './itineraries/clock-part.ts'
import { repliesOnClock } from './sandbox/clock-part.ts'
import { entriesOnClock } from './waitlist/clock-part.ts'
import { endpointsOnClock } from './webhooks/clock-part.ts'

/** Everything that waits for the time of its account. */
export const clockParts: readonly ClockPart[] = [
  bookingsOnClock,
  groupsOnClock,
  entriesOnClock,
  endpointsOnClock,
  repliesOnClock,
]
