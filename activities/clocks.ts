import { type AdvanceDeps, advanceClock } from '../src/clocks/steps/advance-clock.ts'
import { whileBeating } from './while-beating.ts'

export type ClockActivities = ReturnType<typeof createClockActivities>

/** Clocks that move at a time in a process, so that live bookings do not notice them. */
const MOST_MOVING = 4

/** What moves test clocks. */
export function createClockActivities(deps: AdvanceDeps) {
  let moving = 0
  return {
    /** Moves a clock to its target; `busy` when too many others move here. */
    async advanceClock(accountId: string): Promise<'ready' | 'busy'> {
      if (moving >= MOST_MOVING) return 'busy'
      moving += 1
      try {
        await whileBeating((signal) => advanceClock(deps, accountId, signal), 2_000)
        return 'ready'
      } finally {
        moving -= 1
      }
    },
  }
}
