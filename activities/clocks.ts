import type { Reached } from '../src/clocks/rules/turns.ts'
import { type AdvanceDeps, advanceClock } from '../src/clocks/steps/advance-clock.ts'
import { createClockTurns } from '../src/clocks/steps/clock-turns.ts'
import { whileBeating } from './while-beating.ts'

export type ClockActivities = ReturnType<typeof createClockActivities>

/** The activities of test clocks. */
export function createClockActivities(deps: AdvanceDeps) {
  const inTurn = createClockTurns(deps.db)
  return {
    /** Moves a clock for one turn, leaving late work behind unless `isPatient`. */
    advanceClock: (accountId: string, isPatient: boolean): Promise<Reached> =>
      whileBeating((signal) => {
        const move = () => advanceClock(deps, accountId, { isPatient, signal })
        return inTurn(accountId, move)
      }, 2_000),
  }
}
