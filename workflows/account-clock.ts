import { CLOCK_ADVANCED_SIGNAL, type OnClock } from '../src/base/account-time.ts'
import { DAY_MS } from '../src/base/durations.ts'
import { MAX_AHEAD_DAYS } from '../src/clocks/rules/test-clocks.ts'
import { onSignal } from './messages.ts'

const clockAdvanced = {
  name: CLOCK_ADVANCED_SIGNAL,
  about: 'For the network: says that the test clock of the account has moved. No use to operators.',
}

/**
 * A run's time in ms: real time or, on a test clock, the clock's time. A signal moves it ahead and
 * calls `onAdvance`, because work that the run awaits may now be due.
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
    /** Resets the offset to the row's, which a signal of unknown origin may have exceeded. */
    correct(lead: number | undefined) {
      if (ahead !== undefined && lead !== undefined) ahead = lead
    },
    /**
     * The argument for steps and for the next run, with the clock's current offset, which steps use
     * once the clock is deleted.
     */
    withTime: <S extends OnClock>(start: S): S =>
      ahead === undefined ? start : { ...start, aheadMs: ahead },
  }
}

const isLead = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) <= MAX_AHEAD_DAYS * DAY_MS
