import { scanWaitlist } from '../src/waitlist/steps/scan-waitlist.ts'
import { expireEntry, selectEntryState } from '../src/waitlist/store/entries.ts'
import type { BookingActivityDeps } from './bookings.ts'
import { whileBeating } from './while-beating.ts'

export type WaitlistActivities = ReturnType<typeof createWaitlistActivities>

/** What one waitlist entry waits for, and the scan that backs all of them. */
export const createWaitlistActivities = ({ db, engine, log, steps }: BookingActivityDeps) => ({
  async readEntry(watchId: string, at: number) {
    await expireEntry(db, watchId, new Date(at))
    return selectEntryState(db, watchId)
  },
  scanWaitlist: (at: number) => {
    const { limits } = steps.terms
    return whileBeating(() => scanWaitlist({ db, engine, log, limits }, new Date(at)))
  },
})
