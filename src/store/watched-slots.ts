import { freeFor, type Inventory } from '../model/free-places.ts'
import { isFreeAtVenue } from '../model/mirror.ts'
import { addDays, dateOf } from '../model/slot-time.ts'
import { type OfferedSlot, offeredSlots } from '../model/slots.ts'
import { type Mirror, mirrorKey, selectMirror } from './mirror.ts'
import { selectSlotCounters, selectTakenResources } from './occupancy.ts'
import { isBookable, type Offering, selectOfferingsOf } from './offerings.ts'
import type { Db } from './sql.ts'
import type { Watcher } from './watch-queue.ts'
import type { Freed } from './watch-turns.ts'

/** A slot that could be held for a watcher. */
export type WatchedSlot = { offering: Offering; slot: OfferedSlot }

type Wanted = Pick<Watcher, 'partySize' | 'wanted' | 'earliest' | 'latest'>

/** What a venue has in a period, read once: asked for each watcher in turn. */
export type Look = {
  /** The slots that the rules let the watcher have, free or not, the nearest to the wanted time first. */
  allowed(watcher: Wanted): WatchedSlot[]
  /** Those that are free; of a freed span, those that it lets begin. */
  free(watcher: Wanted, freed?: Freed): WatchedSlot[]
}

/** Reads a venue's rules and what is taken of it in a period, one statement after the other, as a transaction's connection needs it. */
export async function lookAtVenue(
  db: Db,
  venueId: string,
  period: { from: Date; until: Date; at: Date },
): Promise<Look> {
  const utcDate = (at: Date) => dateOf(at.toISOString())
  const dates = { from: addDays(utcDate(period.from), -2), to: addDays(utcDate(period.until), 1) }
  const offerings = (await selectOfferingsOf(db, [venueId], dates)).filter(isBookable)
  const inventories = await readInventories(db, offerings, period)
  const isMirrored = offerings.some(({ confirm_mode }) => confirm_mode === 'http')
  const mirror: Mirror = isMirrored ? await selectMirror(db, [venueId], dates) : new Map()

  const allowed = (watcher: Wanted) =>
    offerings
      .flatMap((offering) =>
        slotsFor(offering, watcher, period.at).map((slot) => ({ offering, slot })),
      )
      .sort((a, b) => distance(a, watcher) - distance(b, watcher))
  const isFree = ({ offering, slot }: WatchedSlot, { partySize }: Wanted) => {
    const inventory = inventories.get(offering.id)
    if (!inventory || !freeFor(offering.rules, inventory, slot, partySize).fits) return false
    const day = mirror.get(mirrorKey(venueId, dateOf(slot.slotTime))) ?? null
    return isFreeAtVenue(day, slot.slotTime, partySize)
  }
  return {
    allowed,
    free: (watcher, freed) =>
      allowed(watcher).filter((one) => (!freed || reaches(one, freed)) && isFree(one, watcher)),
  }
}

/** From the window's beginning to its end, by the rules; `offeredSlots` leaves out what is too soon or too far ahead. */
const slotsFor = (offering: Offering, watcher: Wanted, at: Date) =>
  offeredSlots({
    rules: offering.rules,
    timezone: offering.timezone,
    exceptions: offering.exceptions,
    partySize: watcher.partySize,
    at,
    from: watcher.earliest,
    until: watcher.latest,
  }).toArray()

const distance = ({ slot }: WatchedSlot, { wanted }: Wanted) =>
  Math.abs(slot.startsAt.getTime() - wanted.getTime())

/** Places are counted by slot, so that only the same slot has more of them; a table is free for whatever overlaps. */
function reaches({ offering, slot }: WatchedSlot, freed: Freed): boolean {
  if (offering.id !== freed.offeringId) return false
  if (offering.strategy === 'pooled') return slot.startsAt.getTime() === freed.from.getTime()
  return slot.startsAt < freed.until && freed.from < slot.occupiedUntil
}

const DAY_MS = 86_400_000

async function readInventories(
  db: Db,
  offerings: readonly Offering[],
  { from, until }: { from: Date; until: Date },
): Promise<Map<string, Inventory>> {
  const spansOf = (strategy: Offering['strategy']) =>
    offerings
      .filter((one) => one.strategy === strategy)
      // No booking is longer than a day.
      .map(({ id }) => ({ offeringId: id, from, until: new Date(until.getTime() + DAY_MS) }))
  const taken = await selectTakenResources(db, spansOf('exclusive'))
  const counters = await selectSlotCounters(db, spansOf('pooled'))
  const ofOffering = <R extends { offering_id: string }>(rows: R[], id: string) =>
    rows.filter(({ offering_id }) => offering_id === id)
  return new Map(
    offerings.map(({ id, strategy, resources }): [string, Inventory] => {
      if (strategy === 'exclusive') {
        return [id, { strategy, resources, taken: ofOffering(taken, id) }]
      }
      if (strategy === 'pooled') return [id, { strategy, counters: ofOffering(counters, id) }]
      return [id, { strategy }]
    }),
  )
}
