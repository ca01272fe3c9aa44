import { MINUTE_MS } from '../../base/durations.ts'

/** The sweep resumes bookings after a minute and a half; after this long, they are stuck. */
export const STUCK_MINUTES = 5
/** A command that has not begun after this long needs an operator. */
const UNANSWERED_MINUTES = 2

/** Bookings are stuck if due work or a command has been waiting since before these times. */
export const stuckSince = (at: Date) => ({
  late: new Date(at.getTime() - STUCK_MINUTES * MINUTE_MS),
  unanswered: new Date(at.getTime() - UNANSWERED_MINUTES * MINUTE_MS),
})
export type StuckSince = ReturnType<typeof stuckSince>
