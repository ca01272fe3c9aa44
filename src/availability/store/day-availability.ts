import type { DayAvailability, Slot } from '../../contract/public.ts'
import type { Db } from '../../platform/database/sql.ts'
import { absence, otherParties, partyRange } from '../rules/capacity.ts'
import { slotsOfDate, type Why } from '../rules/date-slots.ts'
import { freeOf, narrowed, planSlots } from './bookable-slots.ts'
import type { CandidateSlot } from './candidate-slots.ts'
import { readInventory, type TakenInventory } from './inventory-query.ts'
import type { Mirror } from './mirror.ts'
import type { PartyService } from './party-services.ts'
import { presentSlot } from './present-slot.ts'

/** A date as the rules define it; `closed` are the slots that an exception removes. */
type PlannedDay = { date: string; open: CandidateSlot[]; closed: CandidateSlot[]; why: Why | null }

/** Every slot on these local dates, free or not. */
export async function selectDays(
  db: Db,
  services: readonly PartyService[],
  { dates, at, feePct }: { dates: readonly string[]; at: Date; feePct: number },
): Promise<DayAvailability[]> {
  const days = dates.map((date) => planDay(services, { date, at }))
  const open = days.flatMap(({ open }) => open)
  const { inventory, mirror } = await planSlots(db, new Map([['all', open]]))
  const usage = await readInventory(db, inventory)
  return days.map((day) => presentDay(day, { usage, mirror, feePct }))
}

function planDay(
  services: readonly PartyService[],
  { date, at }: { date: string; at: Date },
): PlannedDay {
  const each = services.map((service) => {
    const all = slotsOfDate({ ...service.query, at, date })
    const open = all.open.filter((slot) => absence(service.service, slot) === undefined)
    const [absent] = open.length > 0 ? [] : all.open
    const reason = absent && absence(service.service, absent)
    return {
      service,
      ...all,
      open,
      ...(reason && { why: { reason: `${reason}.`, isNotice: false } }),
    }
  })
  const whys = each.map(({ why }) => why)
  return {
    date,
    open: each.flatMap(({ service, open }) => open.map((slot) => ({ ...service, slot }))),
    closed: each.flatMap(({ service, closed }) => closed.map((slot) => ({ ...service, slot }))),
    why: whys.includes(null) ? null : (whys[0] ?? nothingOffered),
  }
}

const nothingOffered = { reason: 'Nothing can be booked here at the moment.', isNotice: false }

type DayContext = { usage: TakenInventory; mirror: Mirror; feePct: number }

function presentDay({ date, open, closed, why }: PlannedDay, context: DayContext): DayAvailability {
  const slots = oneOfEachTime([
    ...open.map((one) => presentOpen(one, context)),
    ...closed.map((one) => presentClosed(one, context.feePct)),
  ])
  return { date, status: statusOf(slots, why), reason: why?.reason ?? null, slots }
}

function presentOpen(candidate: CandidateSlot, { usage, mirror, feePct }: DayContext): Slot {
  const { query, slot, service } = candidate
  const inventory = usage.of(service)
  const { free, own } = freeOf(candidate, inventory, mirror)
  const { party_min, party_max } = query.rules
  const range = free.fits
    ? narrowed(partyRange(query, inventory, slot), own)
    : (otherParties(query, inventory, slot) ?? { party_min, party_max })
  return presentSlot({ ...candidate, free, range }, feePct)
}

function presentClosed(candidate: CandidateSlot, feePct: number): Slot {
  const { party_min, party_max } = candidate.query.rules
  const free = { fits: false, remaining: 0, total: 0 }
  const slot = presentSlot({ ...candidate, free, range: { party_min, party_max } }, feePct)
  return { ...slot, status: 'closed' }
}

const preference: Record<Slot['status'], number> = {
  available: 0,
  limited: 0,
  unavailable: 1,
  closed: 2,
}

/** Sorts by time. If services share one, keeps the first bookable one, as bookings do. */
function oneOfEachTime(slots: readonly Slot[]): Slot[] {
  const byTime = new Map<string, Slot>()
  for (const slot of slots) {
    const other = byTime.get(slot.starts_at)
    const isFirst = !other || preference[slot.status] < preference[other.status]
    const [shown, more] = isFirst ? [slot, other] : [other, slot]
    const isFree = more !== undefined && preference[more.status] === 0
    byTime.set(slot.starts_at, isFree ? withOther(shown, more) : shown)
  }
  return [...byTime.values()].sort((a, b) => (a.starts_at < b.starts_at ? -1 : 1))
}

const withOther = (shown: Slot, { service, sessions: others = [] }: Slot): Slot => {
  const sessions = [...(shown.sessions ?? []), ...others]
  const also = [...(shown.also ?? []), service]
  return { ...shown, also, ...(sessions.length > 0 && { sessions }) }
}

/** The best slot's status; without slots, `unavailable` if it is just too early or late to book. */
function statusOf(slots: readonly Slot[], why: Why | null): Slot['status'] {
  const order = ['available', 'limited', 'unavailable', 'closed'] as const
  const best = order.find((status) => slots.some((slot) => slot.status === status))
  return best ?? (why?.isNotice ? 'unavailable' : 'closed')
}
