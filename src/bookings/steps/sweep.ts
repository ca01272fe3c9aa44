import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../base/durations.ts'
import { continuePass, eraseThrough, type PassDeps } from '../../platform/database/continue-pass.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { oldKeys } from '../../platform/database/used-keys.ts'
import type { PageOfIds, Pass } from '../../platform/process/work-through.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import { lateAnnouncement } from '../../platform/temporal/announce.ts'
import type { BookingEngine } from '../engine.ts'
import {
  type LateBooking,
  selectBookingStart,
  selectLostBookings,
  selectOverdueHoldsOf,
  selectUncommandedBookings,
} from '../store/booking-starts.ts'
import { dueGuestDetails } from '../store/guests.ts'

/** What the sweep needs. */
export type SweepDeps = { db: Pool; engine: BookingEngine; log: Log }

/** Longer than a healthy workflow can lag, but under two minutes with one round of the sweep. */
export const LOST_AFTER_MS = 90 * SECOND_MS

/**
 * Gives new runs to bookings that have lost theirs, or whose run cannot continue. Most bookings
 * selected only seem late, for example because their venue is being asked.
 */
export function resumeLostBookings(deps: SweepDeps, at: Date): Promise<Pass> {
  const dueBefore = new Date(at.getTime() - LOST_AFTER_MS)
  return continuePass(deps, 'bookings', {
    select: (page) => selectLostBookings(deps.db, dueBefore, page),
    idOf: (bookingId) => bookingId,
    help: async (id) => deps.engine.resume(await selectBookingStart(deps.db, id)),
  })
}

/** Announcements are sent immediately; one not noticed within 15 s counts as lost. */
const UNDELIVERED_AFTER_MS = 15 * SECOND_MS

type Announced = {
  step: 'commands' | 'responses'
  select(db: Pool, before: Date, page: PageOfIds): Promise<LateBooking[]>
  announce: BookingEngine['announceCommands']
}

/** Repeats announcements that bookings have not noticed, doubling the delay each time. */
export function announceLate(
  deps: SweepDeps,
  at: Date,
  { step, select, announce }: Announced,
): Promise<Pass> {
  const before = new Date(at.getTime() - UNDELIVERED_AFTER_MS)
  return continuePass(deps, step, {
    select: (page) => select(deps.db, before, page),
    idOf: ({ id }) => id,
    help: async ({ id, since }) =>
      announce(await selectBookingStart(deps.db, id), lateAnnouncement(since, at)),
  })
}

/** Announces commands that have not run. */
export const deliverCommands = (deps: SweepDeps, at: Date) =>
  announceLate(deps, at, {
    step: 'commands',
    select: selectUncommandedBookings,
    announce: deps.engine.announceCommands,
  })

/** Wakes the workflows of overdue holds to end them. Best effort: the sweep tries again later. */
export async function wakeOverdueHolds(
  { db, engine, log }: SweepDeps,
  venueId: string,
  at: Date,
): Promise<void> {
  try {
    const overdue = await selectOverdueHoldsOf(db, venueId, at)
    // However many agents want the slot, a hold is woken at most once a minute.
    const id = `overdue ${Math.floor(at.getTime() / MINUTE_MS)}`
    await Promise.all(overdue.map((start) => engine.announceCommands(start, id)))
  } catch (error) {
    log.warn({ venue_id: venueId, error: loggable(error) }, 'could not wake overdue holds')
  }
}

/** Erases guest details that are due for erasure. */
export const eraseGuestDetails = (deps: PassDeps, at: Date): Promise<Pass> =>
  eraseThrough(deps, 'guest-details', dueGuestDetails(at))

const KEYS_KEPT_MS = 30 * DAY_MS

/** Erases idempotency keys after 30 days. */
export const eraseOldKeys = (deps: PassDeps, at: Date): Promise<Pass> =>
  eraseThrough(deps, 'old-keys', oldKeys(new Date(at.getTime() - KEYS_KEPT_MS)))
