import type { DayAvailability, Slot } from '../../contract/public.ts'
import type { Db } from '../../platform/database/sql.ts'
import {
  absence,
  couldHave,
  otherParties,
  partyRange,
  statusOf as slotStatus,
} from '../rules/capacity.ts'
import { isFree } from '../rules/compact-slots.ts'
import { slotsOfDate, type Why } from '../rules/date-slots.ts'
import { freeOf, narrowed, planSlots } from './bookable-slots.ts'
import type { CandidateSlot } from './candidate-slots.ts'
import { readInventory, type TakenInventory } from './inventory-query.ts'
import type { Mirror } from './mirror.ts'
import type { PartyService } from './party-services.ts'
import { presentSlot, type SlotFee, sessionsOf } from './present-slot.ts'

/** A date as the rules define it; `closed` are the slots that an exception removes. */
type PlannedDay = { date: string; open: CandidateSlot[]; closed: CandidateSlot[]; why: Why | null }

/** Every slot on these local dates, free or not. */
export async function selectDays(
  db: Db,
  services: readonly PartyService[],
  { dates, at, ...fee }: SlotFee & { dates: readonly string[]; at: Date },
): Promise<DayAvailability[]> {
  const days = dates.map((date) => planDay(services, { date, at }))
  const open = days.flatMap(({ open }) => open)
  const { inventory, mirror } = await planSlots(db, new Map([['all', open]]))
  const usage = await readInventory(db, inventory)
  return days.map((day) => presentDay(day, { usage, mirror, fee }))
}

function planDay(
  services: readonly PartyService[],
  { date, at }: { date: string; at: Date },
): PlannedDay {
  const each = services.map((service) => {
    const all = slotsOfDate({ ...service.query, at, date })
    const { partySize } = service.query
    const open = all.open.filter((slot) => couldHave(service.service, slot, partySize))
    const [absent] = open.length > 0 ? [] : all.open
    const none = `Nothing is there for a party of ${partySize}`
    const reason = absent && (absence(service.service, absent) ?? none)
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

type DayContext = { usage: TakenInventory; mirror: Mirror; fee: SlotFee }

function presentDay({ date, open, closed, why }: PlannedDay, context: DayContext): DayAvailability {
  const slots = oneOfEachTime([
    ...open.map((one) => evaluateOpen(one, context)),
    ...closed.map((one) => evaluateClosed(one, context)),
  ])
  return { date, status: statusOf(slots, why), reason: why?.reason ?? null, slots }
}

/** A slot of one service. Of services that share a time, only one is presented. */
type EvaluatedSlot = CandidateSlot & { status: Slot['status']; present: () => Slot }

function evaluateOpen(candidate: CandidateSlot, { usage, mirror, fee }: DayContext): EvaluatedSlot {
  const { query, slot, service } = candidate
  const inventory = usage.of(service)
  const { free, own } = freeOf(candidate, inventory, mirror)
  const present = () => {
    const { party_min, party_max } = query.rules
    const range = free.fits
      ? narrowed(partyRange(query, inventory, slot), own)
      : (otherParties(query, inventory, slot) ?? { party_min, party_max })
    return presentSlot({ ...candidate, free, range }, fee)
  }
  return { ...candidate, status: slotStatus(free), present }
}

function evaluateClosed(candidate: CandidateSlot, { fee }: DayContext): EvaluatedSlot {
  const { party_min, party_max } = candidate.query.rules
  const free = { fits: false, remaining: 0, total: 0 }
  const status = 'closed' as const
  const present = () => ({
    ...presentSlot({ ...candidate, free, range: { party_min, party_max } }, fee),
    status,
  })
  return { ...candidate, status, present }
}

/** Sorts by time. If services share one, shows the first bookable one, as bookings do. */
function oneOfEachTime(slots: readonly EvaluatedSlot[]): Slot[] {
  const times = Map.groupBy(slots, ({ slot }) => slot.startsAt.getTime())
  return [...times]
    .sort(([one], [other]) => one - other)
    .flatMap(([, group]) => {
      const free = group.filter(isFree)
      const shown = free[0] ?? group.find(({ status }) => status !== 'closed') ?? group[0]
      return shown ? [withOthers(shown.present(), free.slice(1))] : []
    })
}

function withOthers(shown: Slot, others: readonly EvaluatedSlot[]): Slot {
  if (others.length === 0) return shown
  const sessions = [...(shown.sessions ?? []), ...others.flatMap(sessionsOf)]
  const also = others.map(({ service }) => service.name)
  return { ...shown, also, ...(sessions.length > 0 && { sessions }) }
}

/** The best slot's status; without slots, `unavailable` if it is just too early or late to book. */
function statusOf(slots: readonly Slot[], why: Why | null): Slot['status'] {
  const order = ['available', 'limited', 'unavailable', 'closed'] as const
  const best = order.find((status) => slots.some((slot) => slot.status === status))
  return best ?? (why?.isNotice ? 'unavailable' : 'closed')
}
