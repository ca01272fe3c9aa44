import type { DayAvailability, Slot } from '../../contract/public.ts'
import { createOfSameBasis } from '../../platform/database/same-basis.ts'
import type { Db } from '../../platform/database/sql.ts'
import { type Inventory, otherParties, partyRange } from '../rules/capacity.ts'
import type { Why } from '../rules/date-slots.ts'
import { presentSlot } from './availability.ts'
import { basisOf, type Candidate, freeOf, narrowed, selectMirrorOf } from './bookable-slots.ts'
import { type Plan, type PlannedDay, planDays } from './day-plan.ts'
import { inventoryQueriesOf } from './inventory-query.ts'
import type { Mirror } from './mirror.ts'
import { selectInventories } from './occupancy.ts'
import type { Offering } from './offerings.ts'
import type { PartyOffering } from './party-offerings.ts'

/**
 * Every slot of these local dates for the party that the offers are for, whether it is free or not, as a booking would be judged now.
 * The same list while nothing has changed: never change it.
 */
export async function selectDays(
  db: Db,
  offers: readonly PartyOffering[],
  { dates, at, feePct }: { dates: readonly string[]; at: Date; feePct: number },
): Promise<readonly DayAvailability[]> {
  const plan = planDays(offers, { dates, at })
  const reach = inventoryQueriesOf(plan.candidates)
  const [inventoryOf, mirror] = await Promise.all([
    selectInventories(db, reach),
    selectMirrorOf(db, reach),
  ])
  const basis = [feePct, ...basisOf(reach, inventoryOf, mirror)]
  return presented(plan, basis, () =>
    plan.days.map((day) => present(day, { inventoryOf, mirror, feePct })),
  )
}

const presented = createOfSameBasis<Plan, readonly DayAvailability[]>()

type Known = { inventoryOf: (offering: Offering) => Inventory; mirror: Mirror; feePct: number }

function present({ date, open, closed, why }: PlannedDay, known: Known): DayAvailability {
  const slots = oneOfEachTime([
    ...open.map((one) => presentOpen(one, known)),
    ...closed.map((one) => presentClosed(one, known.feePct)),
  ])
  return { date, status: statusOf(slots, why), reason: why?.reason ?? null, slots }
}

function presentOpen(candidate: Candidate, { inventoryOf, mirror, feePct }: Known): Slot {
  const { query, slot, offering } = candidate
  const inventory = inventoryOf(offering)
  const { free, own } = freeOf(candidate, inventory, mirror)
  const { party_min, party_max } = query.rules
  const range = free.fits
    ? narrowed(partyRange(query, inventory, slot), own)
    : (otherParties(query, inventory, slot) ?? { party_min, party_max })
  return presentSlot({ ...candidate, free, range }, feePct)
}

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
