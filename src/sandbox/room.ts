import type { SweepDeps } from '../bookings/steps/sweep.ts'
import type { Room } from '../contract/room.ts'
import { repliesOnClock } from './steps/clock-part.ts'
import { deliverReplies, eraseOldCalls } from './steps/deliver-replies.ts'

/** Test accounts, and test venues that produce each outcome. */
export const sandbox = {
  name: 'sandbox',
  clock: () => repliesOnClock,
  sweep: (deps: SweepDeps) => ({
    replies: (at: Date) => deliverReplies(deps, at),
    'old-test-calls': (at: Date) => eraseOldCalls(deps, at),
  }),
} as const satisfies Room
