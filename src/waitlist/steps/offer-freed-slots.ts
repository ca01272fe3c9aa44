import type { LockedBooking } from '../../bookings/store/bookings.ts'
import type { FreedSpan } from '../../bookings/store/freed-spans.ts'
import type { DoneStep } from '../../bookings/store/transitions.ts'
import type { Db } from '../../platform/database/sql.ts'
import { lockQueue, selectQueue } from '../store/queue.ts'
import { readVenueSlots } from '../store/venue-slots.ts'
import { offerSlotTo } from './offer-slot-to.ts'
import { recordOpenedSlots } from './record-opened-slots.ts'

/**
 * Offers what a booking has released to the first matching waitlist entries, in the transaction
 * that releases it, so nobody else can take it first. The entry whose hold this was is skipped. What
 * nobody waited for is noted for the feed. Answers the holds to be recorded.
 */
export async function offerFreedSlots(
  tx: Db,
  owner: Pick<LockedBooking, 'id' | 'party_size'>,
  freed: readonly FreedSpan[],
  at: Date,
): Promise<DoneStep[]> {
  // A step that is retried after an outage keeps its time; a hold lasts its full time from now on.
  const now = new Date(Math.max(at.getTime(), Date.now()))
  const offered: DoneStep[] = []
  for (const span of freed) offered.push(...(await offerSpan(tx, span, owner.id, now)))
  await recordOpenedSlots(tx, owner, { freed, at: now })
  return offered
}

const DAY_MS = 86_400_000

async function offerSpan(tx: Db, freed: FreedSpan, freedBy: string, at: Date): Promise<DoneStep[]> {
  const { venueId, until } = freed
  // A slot that begins up to a day before can reach into what is free now.
  const period = { from: new Date(freed.from.getTime() - DAY_MS), until, at }
  await lockQueue(tx, venueId, 'shared')
  const queue = await selectQueue(tx, venueId, { ...period, skipHolder: freedBy })
  if (queue.length === 0) return []
  let look = await readVenueSlots(tx, venueId, period)
  const offered: DoneStep[] = []
  for (const watcher of queue) {
    const [nearest] = look.free(watcher, freed)
    const step = nearest && (await offerSlotTo(tx, watcher, nearest, { freedBy, at }))
    if (!step) continue
    offered.push(step)
    look = await readVenueSlots(tx, venueId, period)
  }
  return offered
}
