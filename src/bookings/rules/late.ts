import { MINUTE_MS } from '../../base/durations.ts'

/** The sweep resumes bookings that are a minute and a half late; later than this they are stuck. */
export const STUCK_MINUTES = 5
/** A command that nobody has begun by then waits for an operator. */
const UNANSWERED_MINUTES = 2

/** Since when something due, or a command, must have waited for its booking to be stuck. */
export const stuckSince = (at: Date) => ({
  late: new Date(at.getTime() - STUCK_MINUTES * MINUTE_MS),
  unanswered: new Date(at.getTime() - UNANSWERED_MINUTES * MINUTE_MS),
})
export type StuckSince = ReturnType<typeof stuckSince>
