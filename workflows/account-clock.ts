import { CLOCK_ADVANCED_SIGNAL, type OnClock } from '../src/base/account-time.ts'
import { DAY_MS } from '../src/base/durations.ts'
import { MAX_AHEAD_DAYS } from '../src/clocks/rules/test-clocks.ts'
import { onSignal } from './messages.ts'

const clockAdvanced = {
  name: CLOCK_ADVANCED_SIGNAL,
  about: 'For the network: says that the test clock of the account has moved. No use to operators.',
}

/**
 * The time of a run, in ms: real time or, on a test clock, the clock's. A signal moves it ahead and
 * calls `onAdvance`: work that the run waits for may be due.
 */
export function openClock({ aheadMs }: OnClock, onAdvance: () => void) {
  let ahead = aheadMs
  onSignal(clockAdvanced, (value) => {
    // A repeated signal must not interrupt the work that the first one started.
    if (ahead === undefined || !isLead(value) || value <= ahead) return
    ahead = value
    onAdvance()
  })
  return {
    now: () => Date.now() + (ahead ?? 0),
    /** Limits a value as the clock's row does; a signal of unknown origin may exceed it. */
    correct(lead: number | undefined) {
      if (ahead !== undefined && lead !== undefined) ahead = lead
    },
    /**
     * The argument of steps, and of the next run, with the clock's current lead: steps use it once
     * the clock is deleted.
     */
    withTime: <S extends OnClock>(start: S): S =>
      ahead === undefined ? start : { ...start, aheadMs: ahead },
  }
}

const isLead = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) <= MAX_AHEAD_DAYS * DAY_MS
