import { type DateQuery, slotsOfDate, type Why, whyDate } from '../rules/date-slots.ts'
import type { Candidate } from './bookable-slots.ts'
import type { PartyOffering } from './party-offerings.ts'
import { lastCall } from './recent-candidates.ts'

/** A date by the rules: the candidates that can be booked if there is room, those that an exception takes away, and what is special. */
export type PlannedDay = { date: string; open: Candidate[]; closed: Candidate[]; why: Why | null }

/** Some dates by the rules. `candidates` are the open ones of all dates. Shared: never change one. */
export type Plan = { days: readonly PlannedDay[]; candidates: readonly Candidate[] }

type Kept = { from: number; until: number; plan: Plan }

/** A slot that comes into reach at the far end may be shown so much late; one that has become too near never is. */
const KEPT_MS = 1_000
const kept = new WeakMap<readonly PartyOffering[], Map<string, Kept>>()

/** What these offers have on some dates at `at`; worked out once a second, or when a slot has become too near. */
export function planDays(
  offers: readonly PartyOffering[],
  { dates, at }: { dates: readonly string[]; at: Date },
): Plan {
  const now = at.getTime()
  const key = dates.join()
  const plans = kept.get(offers) ?? new Map<string, Kept>()
  kept.set(offers, plans)
  const known = plans.get(key)
  if (known && known.from <= now && now <= known.until) return known.plan
  const days = dates.map((date) => dayOf(offers, { date, at }))
  const plan = { days, candidates: days.flatMap(({ open }) => open) }
  const until = Math.min(now + KEPT_MS, ...plan.candidates.map(lastCall))
  plans.set(key, { from: now, until, plan })
  return plan
}

type Asked = readonly { offer: PartyOffering; query: DateQuery }[]

function dayOf(
  offers: readonly PartyOffering[],
  { date, at }: { date: string; at: Date },
): PlannedDay {
  const asked = offers.map((offer) => ({ offer, query: { ...offer.query, at, date } }))
  const each = asked.map(({ offer, query }) => ({ offer, ...slotsOfDate(query) }))
  return {
    date,
    open: each.flatMap(({ offer, open }) => open.map((slot) => ({ ...offer, slot }))),
    closed: each.flatMap(({ offer, closed }) => closed.map((slot) => ({ ...offer, slot }))),
    why: whyOf(asked),
  }
}

/** Nothing, if nothing is special for any of the offerings. */
function whyOf(asked: Asked): Why | null {
  const whys = asked.map(({ query }) => whyDate(query))
  return whys.includes(null) ? null : (whys[0] ?? nothingOffered)
}
const nothingOffered = { reason: 'Nothing can be booked here at present.', isNotice: false }
