import { defineSignal, setHandler } from '@temporalio/workflow'
import { CLOCK_ADVANCED_SIGNAL, type OnClock } from '../src/contract/rules/account-time.ts'

const clockAdvanced = defineSignal<[unknown?]>(CLOCK_ADVANCED_SIGNAL)

/**
 * The time of a run, in ms: real time or, on a test clock, what that says. A signal moves it ahead,
 * and then `onAdvance` is called: what the run waits for may be due.
 */
export function openClock({ aheadMs }: OnClock, onAdvance: () => void) {
  let ahead = aheadMs
  setHandler(clockAdvanced, (given) => {
    // A repeated signal must not interrupt what the first one has led to.
    if (ahead === undefined || typeof given !== 'number' || given <= ahead) return
    ahead = given
    onAdvance()
  })
  return {
    now: () => Date.now() + (ahead ?? 0),
    /**
     * The argument of steps, and of the next run, with what the clock says now: steps go by it once
     * the clock is deleted.
     */
    withTime: <S extends OnClock>(start: S): S =>
      ahead === undefined ? start : { ...start, aheadMs: ahead },
  }
}
