import { freeFor } from '../../availability/rules/capacity.ts'
import { isFreeAtVenue } from '../../availability/rules/mirror.ts'
import { type OfferedSlot, offeredSlots } from '../../availability/rules/slots.ts'
import { queryOfSpans, readInventory } from '../../availability/store/inventory-query.ts'
import { type Mirror, mirrorKey, selectMirror } from '../../availability/store/mirror.ts'
import { isBookable, type Offering, selectOfferingsOf } from '../../availability/store/offerings.ts'
import type { FreedSpan } from '../../bookings/store/freed-spans.ts'
import { addDays, dateOf } from '../../contract/rules/local-time.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { WaitlistEntry } from './queue.ts'

/** A slot that could be held for a watcher. */
export type OfferableSlot = { offering: Offering; slot: OfferedSlot }

const DAY_MS = 86_400_000

type Wanted = Pick<WaitlistEntry, 'partySize' | 'wanted' | 'earliest' | 'latest'>

/** What a venue has in a period, read once: asked for each watcher in turn. */
export type VenueSlots = {
  /** The slots that the rules let the watcher have, free or not, the nearest to the wanted time first. */
  allowed(watcher: Wanted): OfferableSlot[]
  /** Those that are free; of a freed span, those that it lets begin. */
  free(watcher: Wanted, freed?: FreedSpan): OfferableSlot[]
}

/** Reads a venue's rules and what is taken of it in a period, one statement after the other, as a transaction's connection needs it. */
export async function readVenueSlots(
  db: Db,
  venueId: string,
  period: { from: Date; until: Date; at: Date },
): Promise<VenueSlots> {
  const utcDate = (at: Date) => dateOf(at.toISOString())
  const dates = { from: addDays(utcDate(period.from), -2), to: addDays(utcDate(period.until), 1) }
  const offerings = (await selectOfferingsOf(db, [venueId], dates)).filter(isBookable)
  // No booking is longer than a day.
  const span = { from: period.from, until: new Date(period.until.getTime() + DAY_MS) }
  const spans = offerings.map((offering) => ({ offering, ...span }))
  const taken = await readInventory(db, queryOfSpans(spans))
  const isMirrored = offerings.some(({ confirm_mode }) => confirm_mode === 'http')
  const mirror: Mirror = isMirrored ? await selectMirror(db, [venueId], dates) : new Map()

  const allowed = (watcher: Wanted) =>
    offerings
      .flatMap((offering) =>
        slotsFor(offering, watcher, period.at).map((slot) => ({ offering, slot })),
      )
      .sort((a, b) => distance(a, watcher) - distance(b, watcher))
  const isFree = ({ offering, slot }: OfferableSlot, { partySize }: Wanted) => {
    if (!freeFor(offering.rules, taken.of(offering), slot, partySize).fits) return false
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

const distance = ({ slot }: OfferableSlot, { wanted }: Wanted) =>
  Math.abs(slot.startsAt.getTime() - wanted.getTime())

/** Places are counted by slot, so that only the same slot has more of them; a table is free for whatever overlaps. */
function reaches({ offering, slot }: OfferableSlot, freed: FreedSpan): boolean {
  if (offering.id !== freed.offeringId) return false
  if (offering.strategy === 'pooled') return slot.startsAt.getTime() === freed.from.getTime()
  return slot.startsAt < freed.until && freed.from < slot.occupiedUntil
}
