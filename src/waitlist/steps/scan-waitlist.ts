import { insertTransition } from '../../bookings/store/transitions.ts'
import type { Engine } from '../../contract/operation.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/rules/durations.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { lateAnnouncement } from '../../platform/temporal/announce.ts'
import type { WaitlistScan } from '../rules/entry.ts'
import {
  selectOverdueEntries,
  selectQueue,
  takeDueVenues,
  type WaitlistEntry,
} from '../store/queue.ts'
import { selectUnstartedHolds } from '../store/turns.ts'
import { type OfferableSlot, readVenueSlots } from '../store/venue-slots.ts'
import { offerSlotTo } from './offer-slot-to.ts'
import { startOfferedHolds } from './start-offered-holds.ts'

const SCAN_EVERY_MS = 5 * MINUTE_MS
/** A hold is started right after it is offered; after this time its notification is lost. */
const UNSTARTED_AFTER_MS = 15 * SECOND_MS
/** Longer than a healthy workflow is ever late. */
const OVERDUE_AFTER_MS = 2 * MINUTE_MS
const PAGE = 100

/**
 * Offers places that appeared without a booking's end (a new table, changed rules, a venue's own
 * system), and makes up for lost notifications: starts offered holds and overdue entries. What
 * fails for one venue, hold or entry is left to the next scan.
 */
export async function scanWaitlist(db: Pool, engine: Engine, at: Date): Promise<WaitlistScan> {
  const ago = (ms: number) => new Date(at.getTime() - ms)
  const { alone, failures } = isolate()
  const venues = await takeDueVenues(db, { before: ago(SCAN_EVERY_MS), at, limit: PAGE })
  const offered: string[] = []
  for (const id of venues) offered.push(...(await alone(id, () => offerAt(db, id, at))))

  const unstarted = { holds: offered, before: ago(UNSTARTED_AFTER_MS), limit: PAGE }
  const started: string[] = []
  for (const hold of await selectUnstartedHolds(db, unstarted)) {
    started.push(...(await alone(hold.hold_id, () => startOfferedHolds(db, engine, [hold]))))
  }

  const notified: string[] = []
  for (const { start, until } of await selectOverdueEntries(db, ago(OVERDUE_AFTER_MS), PAGE)) {
    const notify = async () => {
      await engine.notifyEntry(start, lateAnnouncement(until, at))
      return [start.watchId]
    }
    notified.push(...(await alone(start.watchId, notify)))
  }
  return { venues: venues.length, offered, started, notified, failures }
}

/** Runs pieces of work, each by itself; `failures` says which of them failed. */
function isolate() {
  const failures: string[] = []
  const alone = async <T>(id: string, work: () => Promise<T[]>): Promise<T[]> => {
    try {
      return await work()
    } catch (error) {
      failures.push(`${id}: ${error instanceof Error ? error.message : error}`)
      return []
    }
  }
  return { alone, failures }
}

/** The longest that anybody can watch for. */
const FAR_AHEAD_MS = 400 * DAY_MS

/** Offers the free slots of a venue to its queue, in order; returns the holds. */
async function offerAt(db: Pool, venueId: string, at: Date): Promise<string[]> {
  const all = { from: at, until: new Date(at.getTime() + FAR_AHEAD_MS), at }
  const queue = await selectQueue(db, venueId, all)
  if (queue.length === 0) return []
  const last = Math.max(...queue.map(({ latest }) => latest.getTime()))
  const period = { from: at, until: new Date(last), at }
  let slots = await readVenueSlots(db, venueId, period)
  const holds: string[] = []
  for (const entry of queue) {
    const [nearest] = slots.free(entry)
    const hold = nearest && (await offer(db, entry, nearest, at))
    if (!hold) continue
    holds.push(hold)
    slots = await readVenueSlots(db, venueId, period)
  }
  return holds
}

const offer = (db: Pool, entry: WaitlistEntry, slot: OfferableSlot, at: Date) =>
  transaction(db, async (tx) => {
    const offered = await offerSlotTo(tx, entry, slot, { freedBy: null, at })
    if (!offered) return undefined
    const { done, ...step } = offered
    await insertTransition(tx, step, done)
    return step.bookingId
  })
