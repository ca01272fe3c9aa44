import { freeFor } from '../../availability/rules/capacity.ts'
import { isFreeAtVenue } from '../../availability/rules/mirror.ts'
import { type OfferedSlot, offeredSlots } from '../../availability/rules/slots.ts'
import { queryOfSpans, readInventory } from '../../availability/store/inventory-query.ts'
import { type Mirror, mirrorKey, selectMirror } from '../../availability/store/mirror.ts'
import { isBookable, type Offering, selectOfferingsOf } from '../../availability/store/offerings.ts'
import { DAY_MS } from '../../base/durations.ts'
import { addDays, dateOf } from '../../base/local-time.ts'
import type { FreedSpan } from '../../bookings/store/freed-spans.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { WaitlistEntry } from './queue.ts'

/** A slot that could be held for an entry. */
export type OfferableSlot = { offering: Offering; slot: OfferedSlot }

type WantedWindow = Pick<WaitlistEntry, 'party_size' | 'wanted' | 'earliest' | 'latest'>

/** Reads a venue's rules and inventory once, for any number of entries. */
export async function readVenueSlots(
  db: Db,
  venueId: string,
  { from, until, at }: { from: Date; until: Date; at: Date },
) {
  const utcDate = (instant: Date) => dateOf(instant.toISOString())
  const dates = { from: addDays(utcDate(from), -2), to: addDays(utcDate(until), 1) }
  const offerings = (await selectOfferingsOf(db, venueId, dates)).filter(isBookable)
  // Bookings last at most a day.
  const span = { from, until: new Date(until.getTime() + DAY_MS) }
  const spans = offerings.map((offering) => ({ offering, ...span }))
  const inventory = await readInventory(db, queryOfSpans(spans))
  const isMirrored = offerings.some(({ confirm_mode }) => confirm_mode === 'http')
  const mirror: Mirror = isMirrored ? await selectMirror(db, [venueId], dates) : new Map()

  const isFree = ({ offering, slot }: OfferableSlot, partySize: number) => {
    if (!freeFor(offering.rules, inventory.of(offering), slot, partySize).fits) return false
    const day = mirror.get(mirrorKey(venueId, dateOf(slot.slotTime))) ?? null
    return isFreeAtVenue(day, slot.slotTime, partySize)
  }
  /** The slots that the rules allow, free or not, nearest to the wanted time first. */
  const allowed = ({
    wanted,
    earliest,
    latest,
    party_size: partySize,
  }: WantedWindow): OfferableSlot[] => {
    const distance = ({ slot }: OfferableSlot) => Math.abs(+slot.startsAt - +wanted)
    return offerings
      .flatMap((offering) => {
        const { rules, timezone, exceptions } = offering
        const terms = { rules, timezone, exceptions, partySize, at, from: earliest, until: latest }
        return [...offeredSlots(terms)].map((slot) => ({ offering, slot }))
      })
      .sort((a, b) => distance(a) - distance(b))
  }
  return {
    allowed,
    /** The free slots; with a freed span, only those that the span made possible. */
    free: (window: WantedWindow, freed?: FreedSpan) =>
      allowed(window).filter(
        (one) => (!freed || overlaps(one, freed)) && isFree(one, window.party_size),
      ),
  }
}

/** Pooled places belong to one slot, whereas a table is free for every overlapping slot. */
function overlaps({ offering, slot }: OfferableSlot, freed: FreedSpan): boolean {
  if (offering.id !== freed.offeringId) return false
  if (offering.strategy === 'pooled') return slot.startsAt.getTime() === freed.from.getTime()
  return slot.startsAt < freed.until && freed.from < slot.occupiedUntil
}
