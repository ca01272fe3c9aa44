import type { LockedBooking } from '../../bookings/store/bookings.ts'
import { type LeftHold, uncountHold } from '../../bookings/store/holds.ts'
import { insertTransition, lockEventCounters } from '../../bookings/store/transitions.ts'
import type { Db } from '../../platform/database/sql.ts'
import { lockQueue, selectQueue } from '../store/watch-queue.ts'
import { type Freed, selectSpansOf } from '../store/watch-turns.ts'
import { lookAtVenue } from '../store/watched-slots.ts'
import { endTurn } from '../store/watches.ts'
import { noteOpened } from './note-opened.ts'
import { type Offered, offerPlace } from './offer-place.ts'

/**
 * Hands what a booking had to the first watchers whom it fits, in the transaction that ends it: no one can come between. The turn
 * of a watcher whose hold this was is over; it goes to the back of the queue and is not asked again at once. What nobody was waiting
 * for is noted for the feed. Part of a step's transaction, after the inventory is free. Lowers the account's count of holds, if this
 * was one, once nothing more is taken.
 */
export async function handOn(
  tx: Db,
  from: LeftHold & Pick<LockedBooking, 'party_size'>,
  at: Date,
): Promise<void> {
  const missed = from.hold_until
    ? await endTurn(tx, from.id, { missed: from.status === 'held', at })
    : undefined
  const freed = await selectSpansOf(tx, from.id, at)
  const offered = await offerAll(tx, from, { freed, missed, at })
  await uncountHold(tx, from)
  await record(tx, from, offered)
}

/** The same for a booking that goes on and has given back only this, for another slot. */
export async function handOnFreed(
  tx: Db,
  from: Pick<LockedBooking, 'id' | 'account_id' | 'party_size'>,
  given: { freed: readonly Freed[]; at: Date },
): Promise<void> {
  await record(tx, from, await offerAll(tx, from, { ...given, missed: undefined }))
}

async function offerAll(
  tx: Db,
  from: Pick<LockedBooking, 'id' | 'party_size'>,
  { freed, missed, at }: { freed: readonly Freed[]; missed: string | undefined; at: Date },
): Promise<Offered[]> {
  // A step that is tried again after an outage keeps its time; whoever is given a hold gets the whole of it from now on.
  const now = new Date(Math.max(at.getTime(), Date.now()))
  const offered: Offered[] = []
  for (const one of freed) {
    offered.push(...(await offerFreed(tx, one, { freedBy: from.id, missed, at: now })))
  }
  await noteOpened(tx, from, { freed, at: now })
  return offered
}

/** The events of all accounts concerned, whose counters are locked together. */
async function record(
  tx: Db,
  from: Pick<LockedBooking, 'account_id'>,
  offered: readonly Offered[],
): Promise<void> {
  if (offered.length === 0) return
  const accounts = offered.map(({ step }) => step.accountId)
  await lockEventCounters(tx, [from.account_id, ...accounts])
  for (const { step, done } of offered) await insertTransition(tx, step, done)
}

const DAY_MS = 86_400_000

async function offerFreed(
  tx: Db,
  freed: Freed,
  { freedBy, missed, at }: { freedBy: string; missed: string | undefined; at: Date },
): Promise<Offered[]> {
  const { venueId, until } = freed
  // A slot that begins up to a day before can reach into what is free now.
  const period = { from: new Date(freed.from.getTime() - DAY_MS), until, at }
  await lockQueue(tx, venueId, 'shared')
  const queue = await selectQueue(tx, venueId, period)
  if (queue.length === 0) return []
  let look = await lookAtVenue(tx, venueId, period)
  const offered: Offered[] = []
  for (const watcher of queue) {
    if (watcher.start.watchId === missed) continue
    const [nearest] = look.free(watcher, freed)
    const given = nearest && (await offerPlace(tx, watcher, nearest, { freedBy, at }))
    if (!given) continue
    offered.push(given)
    look = await lookAtVenue(tx, venueId, period)
  }
  return offered
}
