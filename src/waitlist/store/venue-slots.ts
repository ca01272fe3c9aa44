import { couldHave, freeFor } from '../../availability/rules/capacity.ts'
import { isFreeAtVenue } from '../../availability/rules/mirror.ts'
import { type Wish, wished } from '../../availability/rules/service-terms.ts'
import { type OfferedSlot, offeredSlots } from '../../availability/rules/slots.ts'
import { queryOfSpans, readInventory } from '../../availability/store/inventory-query.ts'
import { type Mirror, mirrorKey, selectMirror } from '../../availability/store/mirror.ts'
import {
  isBookable,
  selectServicesOf,
  type VenueService,
} from '../../availability/store/venue-services.ts'
import { DAY_MS } from '../../base/durations.ts'
import { addDays, dateOf } from '../../base/local-time.ts'
import type { FreedSpan } from '../../bookings/store/freed-spans.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { WaitlistEntry } from './queue.ts'

/** A slot that could be held for an entry. */
export type OfferableSlot = { service: VenueService; slot: OfferedSlot }

type WantedWindow = Pick<WaitlistEntry, 'wanted' | 'earliest' | 'latest'> & {
  start: Wish & { partySize: number }
}

/** Reads a venue's rules and inventory once, for any number of entries. */
export async function readVenueSlots(
  db: Db,
  venueId: string,
  { from, until, at }: { from: Date; until: Date; at: Date },
) {
  const utcDate = (instant: Date) => dateOf(instant.toISOString())
  const dates = { from: addDays(utcDate(from), -2), to: addDays(utcDate(until), 1) }
  const services = (await selectServicesOf(db, venueId, dates)).filter(isBookable)
  // Bookings last at most a day.
  const span = { from, until: new Date(until.getTime() + DAY_MS) }
  const spans = services.map((service) => ({ service, ...span }))
  const inventory = await readInventory(db, queryOfSpans(spans))
  const isMirrored = services.some(({ confirm_mode }) => confirm_mode === 'http')
  const mirror: Mirror = isMirrored ? await selectMirror(db, [venueId], dates) : new Map()

  const isFree = ({ service, slot }: OfferableSlot, partySize: number) => {
    if (!freeFor(service.rules, inventory.of(service), slot, partySize).fits) return false
    const day = mirror.get(mirrorKey(venueId, dateOf(slot.slotTime))) ?? null
    return isFreeAtVenue(day, slot.slotTime, partySize)
  }
  /** The slots that the party could have, free or not, nearest to the wanted time first. */
  const allowed = ({ wanted, earliest, latest, start }: WantedWindow): OfferableSlot[] => {
    const { partySize } = start
    const distance = ({ slot }: OfferableSlot) => Math.abs(+slot.startsAt - +wanted)
    return wished(services, start)
      .flatMap((service) => {
        const { rules, timezone, exceptions } = service
        const terms = { rules, timezone, exceptions, partySize, at, from: earliest, until: latest }
        const slots = [...offeredSlots(terms)].map((slot) => ({ service, slot }))
        return slots.filter(({ slot }) => couldHave(service, slot, partySize))
      })
      .sort((a, b) => distance(a) - distance(b))
  }
  return {
    allowed,
    /** The free slots; with a freed span, only those that the span made possible. */
    free: (window: WantedWindow, freed?: FreedSpan) =>
      allowed(window).filter(
        (one) => (!freed || overlaps(one, freed)) && isFree(one, window.start.partySize),
      ),
  }
}

/** Pooled places belong to one slot, whereas a table is free for every overlapping slot. */
function overlaps({ service, slot }: OfferableSlot, freed: FreedSpan): boolean {
  if (service.strategy === 'pooled') {
    return service.id === freed.serviceId && slot.startsAt.getTime() === freed.from.getTime()
  }
  const isResource = freed.serviceId === null
  return isResource && slot.startsAt < freed.until && freed.from < slot.occupiedUntil
}
