import { type DateQuery, slotsOfDate, type Why, whyDate } from '../model/date-slots.ts'
import { otherParties, partyRange } from '../model/free-places.ts'
import type { DayAvailability, Slot } from '../schema/public.ts'
import { presentSlot } from './availability.ts'
import {
  type Candidate,
  freeOf,
  narrowed,
  selectInventories,
  selectMirrorOf,
} from './bookable-slots.ts'
import type { Offer } from './offers.ts'
import type { Db } from './sql.ts'

/** Every slot of these local dates for the party that the offers are for, whether it is free or not, as a booking would be judged now. */
export async function selectDays(
  db: Db,
  offers: readonly Offer[],
  { dates, at, feePct }: { dates: readonly string[]; at: Date; feePct: number },
): Promise<DayAvailability[]> {
  const days = dates.map((date) => ({
    date,
    asked: offers.map((offer) => ({ offer, query: { ...offer.query, at, date } })),
  }))
  const found = days.map(({ date, asked }) => ({ date, ...candidatesOn(asked), why: whyOf(asked) }))
  const candidates = found.flatMap(({ open }) => open)
  const [inventoryOf, mirror] = await Promise.all([
    selectInventories(db, candidates),
    selectMirrorOf(db, candidates),
  ])
  const present = (candidate: Candidate): Slot => {
    const { query, slot, offering } = candidate
    const inventory = inventoryOf(offering)
    const { free, own } = freeOf(candidate, inventory, mirror)
    const { party_min, party_max } = query.rules
    const range = free.fits
      ? narrowed(partyRange(query, inventory, slot), own)
      : (otherParties(query, inventory, slot) ?? { party_min, party_max })
    return presentSlot({ ...candidate, free, range }, feePct)
  }
  return found.map(({ date, why, open, closed }) => {
    const slots = oneOfEachTime([
      ...open.map(present),
      ...closed.map((one) => presentClosed(one, feePct)),
    ])
    return { date, status: statusOf(slots, why), reason: why?.reason ?? null, slots }
  })
}

type Asked = readonly { offer: Offer; query: DateQuery }[]

function candidatesOn(asked: Asked): { open: Candidate[]; closed: Candidate[] } {
  const each = asked.map(({ offer, query }) => ({ offer, ...slotsOfDate(query) }))
  return {
    open: each.flatMap(({ offer, open }) => open.map((slot) => ({ ...offer, slot }))),
    closed: each.flatMap(({ offer, closed }) => closed.map((slot) => ({ ...offer, slot }))),
  }
}

/** Nothing, if that is so for any of the offerings. */
function whyOf(asked: Asked): Why | null {
  const whys = asked.map(({ query }) => whyDate(query))
  return whys.includes(null) ? null : (whys[0] ?? nothingOffered)
}
const nothingOffered = { reason: 'Nothing can be booked here at present.', isNotice: false }

function presentClosed(candidate: Candidate, feePct: number): Slot {
  const { party_min, party_max } = candidate.query.rules
  const free = { fits: false, left: 0, total: 0 }
  const slot = presentSlot({ ...candidate, free, range: { party_min, party_max } }, feePct)
  return { ...slot, status: 'closed' }
}

const standing: Record<Slot['status'], number> = {
  available: 0,
  limited: 0,
  unavailable: 1,
  closed: 2,
}

/** In time order. Of two offerings with the same time the first that can be booked has it, as a booking would. */
function oneOfEachTime(slots: readonly Slot[]): Slot[] {
  const byTime = new Map<string, Slot>()
  for (const slot of slots) {
    const known = byTime.get(slot.starts_at)
    if (!known || standing[slot.status] < standing[known.status]) byTime.set(slot.starts_at, slot)
  }
  return [...byTime.values()].sort((a, b) => (a.starts_at < b.starts_at ? -1 : 1))
}

/** The best of its slots; without any, `unavailable` is said of a day that is too near or too far ahead. */
function statusOf(slots: readonly Slot[], why: Why | null): Slot['status'] {
  const order = ['available', 'limited', 'unavailable', 'closed'] as const
  const best = order.find((status) => slots.some((slot) => slot.status === status))
  return best ?? (why?.isNotice ? 'unavailable' : 'closed')
}
