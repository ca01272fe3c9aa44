import { HOUR_MS } from '../../base/durations.ts'
import { dateOf } from '../../base/local-time.ts'
import { DEMO_OR_TEST_PAYER, DEMO_PAYER } from '../../base/money.ts'
import type { CompactAvailability, CompactDays } from '../../contract/compact.ts'
import type { Availability, DayAvailability, Slot } from '../../contract/public.ts'
import type { ShownService } from '../../contract/services.ts'

/** A slot's time as `HH:MM`; slots begin on whole minutes. */
const timeOf = ({ slot_time }: Slot): string => slot_time.slice(11, 16)

/** The terms by which slots may differ; with equal keys, they are stated once. */
const termKeys = {
  utc_offset: ({ utc_offset }: Slot) => utc_offset,
  confirm_mode: ({ confirm_mode }: Slot) => confirm_mode,
  typical_spend: ({ typical_spend }: Slot) => typical_spend,
  fee: ({ fee }: Slot) => JSON.stringify(fee),
  cancelling: (slot: Slot) => (slot.fee.charged_to === DEMO_PAYER ? 0 : hoursOf(slot)),
}
type Term = keyof typeof termKeys
type Terms = Pick<Slot, Exclude<Term, 'cancelling'>> & { cancelling: string }
const termNames = Object.keys(termKeys) as Term[]

/** The terms of all slots: those they share stated once, the others for the times they apply to. */
function termsOf(slots: readonly Slot[], as_of: string) {
  const [first] = slots
  if (!first) return {}
  const isShared = (name: Term) =>
    new Set(slots.map((slot) => `${termKeys[name](slot)}`)).size === 1
  const shared = termNames.filter(isShared)
  const differing = termNames.filter((name) => !isShared(name))
  const keyOf = (slot: Slot) => JSON.stringify(differing.map((name) => termKeys[name](slot)))
  const groups = [...Map.groupBy(slots, keyOf).values()].sort((a, b) => a.length - b.length)
  const { pct, currency, charged_to } = first.fee
  return {
    party_min: Math.min(...slots.map(({ party_min }) => party_min)),
    party_max: Math.max(...slots.map(({ party_max }) => party_max)),
    fee: { pct, currency, charged_to },
    ...stated(shared, slots, as_of),
    ...(groups.length > 1 && {
      terms_differ: groups.map((own, index) => ({
        services: [...new Set(own.map(({ service }) => service))],
        ...(index < groups.length - 1 && { times: timesOf(own, slots) }),
        ...stated(differing, own, as_of),
        ...(differing.includes('fee') && own[0] && { fee: baseOf(own[0]) }),
      })),
    }),
    ...depositsOf(slots),
  }
}

/** What the fee is a percentage of; the rest of it is the same at all times of a venue. */
const baseOf = ({ fee: { pct: _, currency: _currency, charged_to: _payer, ...base } }: Slot) => base

/** These terms of slots that share them. */
function stated(names: readonly Term[], slots: readonly Slot[], as_of: string) {
  const terms: Partial<Terms> = { ...slots[0], cancelling: cancellingOf(slots, as_of) }
  const shown = names.filter((name) => terms[name] !== undefined)
  return Object.fromEntries(shown.map((name) => [name, terms[name]])) as Partial<Terms>
}

/** The times of some of the slots, with their dates if others have the same time on another day. */
function timesOf(some: readonly Slot[], all: readonly Slot[]): string[] {
  const others = new Set(all.filter((slot) => !some.includes(slot)).map(timeOf))
  const isPlain = some.every((slot) => !others.has(timeOf(slot)))
  return [...new Set(some.map((slot) => (isPlain ? timeOf(slot) : slot.slot_time.slice(0, 16))))]
}

/** How many hours before it a slot can no longer be cancelled free of charge. */
const hoursOf = ({ starts_at, cancel_until }: Slot) =>
  Math.round((Date.parse(starts_at) - Date.parse(cancel_until)) / (HOUR_MS / 4)) / 4

/** `free until 4 h before; no longer at 19:00, 19:30`. */
function cancellingOf(slots: readonly Slot[], as_of: string): string {
  const payer = slots[0]?.fee.charged_to
  if (payer === DEMO_PAYER) return 'always free: demo venue'
  const when = freeUntil(slots, as_of)
  return payer === DEMO_OR_TEST_PAYER ? `always free on pro; in test money ${when}` : when
}

function freeUntil(slots: readonly Slot[], as_of: string): string {
  const late = slots.filter(({ cancel_until }) => cancel_until < as_of)
  if (late.length === slots.length) return 'no longer free: it costs the fee'
  const free = `free until ${slots[0] && hoursOf(slots[0])} h before`
  return late.length > 0 ? `${free}; no longer at ${timesOf(late, slots).join(', ')}` : free
}

/** The deposits asked for at any of the times, each listed once. */
function depositsOf(slots: readonly Slot[]) {
  const all = slots.flatMap(({ deposits = [] }) => deposits)
  const deposits = [...new Map(all.map((one) => [one.text, one])).values()]
  return deposits.length > 0 ? { deposits } : {}
}

/** Slots by day, with their common terms once; `hasChoice`: the venue has several services. */
export function compactSlots(
  { timezone, slots, note, book_with, fits, as_of }: Omit<Availability, 'next_slot_time'>,
  hasChoice: boolean,
): CompactAvailability {
  const isOpen = isMixed(slots) || (hasChoice && !book_with)
  const days = [...Map.groupBy(slots, ({ slot_time }) => dateOf(slot_time))]
  return {
    timezone,
    ...termsOf(slots, as_of),
    ...priceOf(slots),
    ...(book_with && { book_with }),
    ...(fits && { fits }),
    days: days.map(([date, own]) => ({
      date,
      times: own.map(timeOf),
      ...(isOpen && { services: own.map(({ service }) => service) }),
    })),
    ...(note !== null && { note }),
  }
}

/** Whether different services would be booked at these times. */
const isMixed = (slots: readonly Slot[]) => new Set(slots.map(({ service }) => service)).size > 1

/** The price, if it is the same at all times. */
function priceOf(slots: readonly Slot[]) {
  const [price, ...others] = new Set(slots.map((slot) => slot.price))
  return price !== undefined && others.length === 0 ? { price } : {}
}

type SomeDays = Pick<CompactDays, 'venue' | 'timezone' | 'party_size'> & {
  as_of: string
  services: readonly ShownService[]
  days: readonly DayAvailability[]
}

/** How many services a compact answer names; a venue by itself has all. */
export const MAX_LISTED = 8

/** All slots on some days, both bookable and full. */
export function compactDays({
  venue,
  timezone,
  party_size,
  services,
  days,
  as_of,
}: SomeDays): CompactDays {
  const open = days.flatMap(({ slots }) => slots.filter(isFree))
  const listed = services.slice(0, MAX_LISTED)
  const more = services.length - listed.length
  return {
    venue,
    timezone,
    ...termsOf(open, as_of),
    party_size,
    ...(services.length > 1 && { services: listed.map(briefService) }),
    ...(more > 0 && { more_services: more }),
    days: days.map(({ date, status, reason, slots }) => {
      const full = slots.filter(({ status }) => status === 'unavailable').map(timeOf)
      return {
        date,
        status,
        ...(reason !== null && { reason }),
        times: slots.filter(isFree).map(timeOf),
        ...(days.length === 1 && byService(slots.filter(isFree), listed)),
        ...sessionsOf(slots.filter(isFree)),
        ...(full.length > 0 && { taken: full }),
      }
    }),
  }
}

/** A service by name, with the details by which guests choose. */
export const briefService = ({ name, minutes, prices }: ShownService) => ({
  name,
  minutes,
  ...(prices && { price: inOne(prices.map(({ text }) => text)) }),
})

/** `IDR 250,000 or IDR 350,000 per guest`, if prices differ only in the amount. */
function inOne(prices: readonly string[]): string {
  const terms = new Set(prices.map((text) => text.slice(text.indexOf(' per '))))
  const [per = ''] = terms
  if (terms.size > 1) return prices.join('; ')
  return prices.map((text) => text.slice(0, -per.length)).join(' or ') + per
}

/** Groups services that have the same times; omits services that are free at all times. */
function byService(slots: readonly Slot[], services: readonly ShownService[]) {
  const each = services.map(({ name }) => {
    const own = slots.filter(({ service, also = [] }) => service === name || also.includes(name))
    return { name, times: own.map(timeOf) }
  })
  const some = each.filter(({ times }) => times.length < slots.length)
  const groups = [...Map.groupBy(some, ({ times }) => times.join())].map(([, group]) => ({
    services: group.map(({ name }) => name),
    times: group[0]?.times ?? [],
  }))
  return groups.length > 0 ? { by_service: groups } : {}
}

/** The sessions of classes; equal ones share an entry. */
function sessionsOf(slots: readonly Slot[]) {
  const all = slots.flatMap((slot) =>
    (slot.sessions ?? []).map((session) => ({ session, time: timeOf(slot) })),
  )
  const groups = Map.groupBy(all, ({ session }) => JSON.stringify(session)).values()
  const sessions = [...groups].flatMap((group) => {
    const times = group.map(({ time }) => time)
    return group[0] ? [{ ...group[0].session, times }] : []
  })
  return sessions.length > 0 ? { sessions } : {}
}

/** Whether a slot, or any slot of a day, can be booked. */
export const isFree = ({ status }: Pick<DayAvailability | Slot, 'status'>) =>
  status === 'available' || status === 'limited'
