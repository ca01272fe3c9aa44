import { insertTransition } from '../../bookings/store/transitions.ts'
import type { Engine } from '../../contract/operation.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import type { WaitlistScan } from '../rules/entry.ts'
import {
  selectOverdueEntries,
  selectQueue,
  takeDueVenues,
  type WaitlistEntry,
} from '../store/queue.ts'
import { selectUnstartedHolds } from '../store/turns.ts'
import { type OfferableSlot, readVenueSlots } from '../store/venue-slots.ts'
import { startOfferedHolds } from './entry-notifier.ts'
import { offerSlotTo } from './offer-slot-to.ts'

const LOOK_EVERY_MS = 5 * 60_000
/** A hold is started at once by whoever gave it; one that was not within 15 s has lost its messenger. */
const UNSTARTED_AFTER_MS = 15_000
/** Longer than a healthy workflow is ever late. */
const OVERDUE_AFTER_MS = 120_000
const PAGE = 100

/**
 * Offers places that appeared without a booking's end (a table more, other rules, what a venue's own system says), and makes up for
 * messages that were lost: starts holds that watchers were given, and watches whose time is over.
 */
export async function scanWaitlist(db: Pool, engine: Engine, at: Date): Promise<WaitlistScan> {
  const ago = (ms: number) => new Date(at.getTime() - ms)
  const venues = await takeDueVenues(db, { before: ago(LOOK_EVERY_MS), at, limit: PAGE })
  const offered: string[] = []
  for (const venueId of venues) offered.push(...(await offerAt(db, venueId, at)))

  const given = { holds: offered, before: ago(UNSTARTED_AFTER_MS), limit: PAGE }
  const begun = await startOfferedHolds(db, engine, await selectUnstartedHolds(db, given))

  const overdue = await selectOverdueEntries(db, ago(OVERDUE_AFTER_MS), PAGE)
  for (const watch of overdue) await engine.notifyEntry(watch)
  return { venues: venues.length, offered, begun, told: overdue.map(({ watchId }) => watchId) }
}

/** The longest that anybody can watch for. */
const FAR_AHEAD_MS = 400 * 86_400_000

/** Gives the watchers of a venue, in their order, what is free; answers the holds. */
async function offerAt(db: Pool, venueId: string, at: Date): Promise<string[]> {
  const all = { from: at, until: new Date(at.getTime() + FAR_AHEAD_MS), at }
  const queue = await selectQueue(db, venueId, all)
  const last = Math.max(...queue.map(({ latest }) => latest.getTime()))
  const period = { from: at, until: new Date(last), at }
  let look = queue.length > 0 ? await readVenueSlots(db, venueId, period) : undefined
  const holds: string[] = []
  for (const watcher of queue) {
    const [nearest] = look?.free(watcher) ?? []
    const hold = nearest && (await offer(db, watcher, nearest, at))
    if (!hold) continue
    holds.push(hold)
    look = await readVenueSlots(db, venueId, period)
  }
  return holds
}

const offer = (db: Pool, watcher: WaitlistEntry, slot: OfferableSlot, at: Date) =>
  transaction(db, async (tx) => {
    const offered = await offerSlotTo(tx, watcher, slot, { freedBy: null, at })
    if (!offered) return undefined
    const { done, ...step } = offered
    await insertTransition(tx, step, done)
    return step.bookingId
  })
