import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../base/durations.ts'
import { type Limits, newcomerLimits } from '../../bookings/rules/limits.ts'
import { insertTransitions } from '../../bookings/store/transitions.ts'
import { continuePass } from '../../platform/database/continue-pass.ts'
import { recordFailing } from '../../platform/database/failing-rows.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { beginPass, eachRow, eachStep, type Work } from '../../platform/process/work-through.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { lateAnnouncement } from '../../platform/temporal/announce.ts'
import type { WaitlistEngine } from '../engine.ts'
import type { WaitlistScan } from '../rules/entry.ts'
import {
  type QueuePage,
  selectDueVenues,
  selectOverdueEntries,
  selectQueue,
  takeVenue,
  type WaitlistEntry,
} from '../store/queue.ts'
import { type OfferedHold, selectHoldsById, selectUnstartedHolds } from '../store/turns.ts'
import { type OfferableSlot, readVenueSlots } from '../store/venue-slots.ts'
import { offerFirstOf } from './offer-slot-to.ts'
import type { OfferEngine } from './start-offered-holds.ts'
import { startOfferedHolds } from './start-offered-holds.ts'

const SCAN_EVERY_MS = 5 * MINUTE_MS
/** An offered hold is normally started at once; if not by then, its notification was lost. */
const UNSTARTED_AFTER_MS = 15 * SECOND_MS
/** Longer than a healthy workflow can lag. */
const OVERDUE_AFTER_MS = 80 * SECOND_MS
/** Entries of a venue read per statement. */
const PAGE = 1_000
/** Time limit per part; together, the three stay well within the activity's timeout. */
const MAX_MS = 15 * SECOND_MS

export type ScanEngine = OfferEngine & Pick<WaitlistEngine, 'resumeEntry'>
type ScanDeps = { db: Pool; engine: ScanEngine; log: Log; limits?: Limits }

/**
 * Offers places that became free without a booking ending (a new table, changed rules, a venue's
 * own system), and repairs lost notifications: starts offered holds and notifies overdue entries. A
 * venue, hold or entry that fails waits for the next scan and does not stop the others.
 */
export async function scanWaitlist(
  { db, engine, log, limits = newcomerLimits }: ScanDeps,
  at: Date,
  page = PAGE,
): Promise<WaitlistScan> {
  const ago = (ms: number) => new Date(at.getTime() - ms)
  const done: Offered = { offered: [], failures: [] }
  const due = { before: ago(SCAN_EVERY_MS), at }
  type Step = 'waitlist-venues' | 'offered-holds' | 'waitlist-entries'
  const pass = <R>(step: Step, work: Work<R>) => {
    const isOver = AbortSignal.timeout(MAX_MS)
    return continuePass({ db, log }, step, work, isOver)
  }
  const { venues, started, notified } = await eachStep({
    venues: () =>
      pass('waitlist-venues', {
        atOnce: 1,
        select: (page) => selectDueVenues(db, due.before, page),
        idOf: ({ id }) => id,
        help: async ({ id }) =>
          (await takeVenue(db, id, due)) &&
          offerAt({ db, engine, log, limits }, id, { at, page, done }),
      }),
    started: () =>
      pass('offered-holds', {
        select: (page) => selectUnstartedHolds(db, ago(UNSTARTED_AFTER_MS), page),
        idOf: ({ hold_id }) => hold_id,
        help: (hold) => startOfferedHolds(db, engine, [hold]),
      }),
    notified: () =>
      pass('waitlist-entries', {
        select: (page) => selectOverdueEntries(db, ago(OVERDUE_AFTER_MS), page),
        idOf: ({ start }) => start.entryId,
        help: async ({ start, until }) =>
          (await engine.resumeEntry(start)) ||
          engine.notifyEntry(start, lateAnnouncement(until, at)),
      }),
  })
  const { offered, failures } = done
  for (const pass of [venues, started, notified]) failures.push(...pass.failures)
  const counts = { venues: venues.done, started: started.done, notified: notified.done }
  return { ...counts, offered, failures }
}

/** The longest possible watch. */
const FAR_AHEAD_MS = 400 * DAY_MS

type Offered = { offered: string[]; failures: string[] }
type VenueScan = { at: Date; page: number; done: Offered }

/** Offers a venue's free slots to its whole queue, in order, and starts the holds. */
async function offerAt(
  { db, engine, log, limits }: Required<ScanDeps>,
  venueId: string,
  { at, page, done }: VenueScan,
): Promise<void> {
  const all = { from: at, until: new Date(at.getTime() + FAR_AHEAD_MS), at, limit: page }
  const { pass, failedRows, fail } = beginPass(null, log)
  const offered: string[] = []
  let after: QueuePage['after'] = null
  for (;;) {
    const queue: WaitlistEntry[] = await selectQueue(db, venueId, { ...all, after })
    after = queue.at(-1) ?? null
    if (!after) break
    const last = Math.max(...queue.map(({ latest }) => latest.getTime()))
    const period = { from: at, until: new Date(last), at }
    let slots = await readVenueSlots(db, venueId, period)
    const idOf = ({ start }: WaitlistEntry) => start.entryId
    await eachRow(queue, idOf, fail, async (entry) => {
      const choices = slots.free(entry)
      const hold = choices.length > 0 && (await offer(db, entry, choices, { limits, at }))
      if (!hold) return
      offered.push(hold)
      slots = await readVenueSlots(db, venueId, period)
    })
    if (queue.length < page) break
  }
  const holds = await selectHoldsById(db, offered)
  const idOf = ({ hold_id }: OfferedHold) => hold_id
  await eachRow(holds, idOf, fail, (hold) => startOfferedHolds(db, engine, [hold]))
  await recordFailing(db, `waitlist-offers ${venueId}`, failedRows, { after: null, until: null })
  done.offered.push(...offered)
  done.failures.push(...pass.failures)
}

const offer = (
  db: Pool,
  entry: WaitlistEntry,
  choices: readonly OfferableSlot[],
  { limits, at }: { limits: Limits; at: Date },
) =>
  transaction(db, async (tx) => {
    const offered = await offerFirstOf(tx, entry, choices, { freedBy: null, limits, at })
    if (!offered) return undefined
    await insertTransitions(tx, [offered])
    return offered.bookingId
  })
