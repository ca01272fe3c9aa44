import { readEntry } from '../src/waitlist/steps/read-entry.ts'
import { scanWaitlist } from '../src/waitlist/steps/scan-waitlist.ts'
import type { BookingActivityDeps } from './bookings.ts'

export type WaitlistActivities = ReturnType<typeof createWaitlistActivities>

/** What one waitlist entry waits for, and the scan that backs all of them. */
export const createWaitlistActivities = ({ db, engine }: BookingActivityDeps) => ({
  readEntry: (watchId: string, at: number) => readEntry(db, watchId, new Date(at)),
  scanWaitlist: (at: number) => scanWaitlist(db, engine, new Date(at)),
})
