import { couldTake } from '../../availability/rules/capacity.ts'
import { noticeOf, type OfferedSlot, slotsOn } from '../../availability/rules/slots.ts'
import { type PartyService, partyServicesOf } from '../../availability/store/party-services.ts'
import { isBookable, type VenueService } from '../../availability/store/venue-services.ts'
import { addDays, toInstantPastGap, weekdayOf, weekdays } from '../../base/local-time.ts'
import type { Slot } from '../../contract/public.ts'
import { NEAR_MS } from '../search/requested-time.ts'

/** The requested party, day and time; null if not given. */
export type WantedVisit = { partySize: number | null; date: string | null; time: string | null }

/** Why a venue is not free as requested; `largest`: the largest party it takes, if too small. */
export type Missed = { note: string; largest: number | null }

type VenueSlots = {
  timezone: string
  /** whether `services` contains only the requested ones */
  isPart?: boolean
  services: readonly VenueService[] | undefined
  slots: readonly Slot[]
}

/** Why a venue has no slot on the requested day and near the requested time; null if it has one. */
export function missedVisit(
  { timezone, isPart = false, services = [], slots }: VenueSlots,
  { partySize, date, time }: WantedVisit,
  at: Date,
): Missed | null {
  const bookable = services.filter(isBookable)
  if (bookable.length === 0) return explain('Takes no bookings here at present.')
  const partyServices = partyServicesOf(bookable, partySize ?? undefined)
  if (partyServices.length === 0) return wrongParty(bookable, partySize ?? 1)
  if (date === null) return slots.length > 0 ? null : explain('Nothing is free in the next 7 days.')
  const wantedAt = toInstantPastGap(timezone, `${date}T${time ?? '00:00'}:00`).getTime()
  const isNear = (startsAt: number) => Math.abs(startsAt - wantedAt) <= NEAR_MS
  const [first] = slots
  const isMet =
    first && (time ? isNear(Date.parse(first.starts_at)) : first.slot_time.startsWith(date))
  return isMet ? null : explain(reasonOf(partyServices, { date, time, isNear, isPart }, at))
}

const explain = (note: string): Missed => ({ note, largest: null })

function wrongParty(bookable: readonly VenueService[], size: number): Missed {
  const smallest = Math.min(...bookable.map(({ rules }) => rules.party_min))
  let largest = Math.max(...bookable.map(({ rules }) => rules.party_max))
  while (largest > smallest && !bookable.some((one) => couldTake(one, largest))) largest -= 1
  return { note: `Takes parties of ${smallest} to ${largest}, not ${size}.`, largest }
}

type Day = {
  date: string
  time: string | null
  isPart: boolean
  isNear: (startsAt: number) => boolean
}

function reasonOf(
  services: readonly PartyService[],
  { date, time, isNear, isPart }: Day,
  at: Date,
): string {
  const notices = services.map(({ service }) => noticeOf(service.rules, at))
  const all = services
    .flatMap(({ query }) =>
      [addDays(date, -1), date].flatMap((day) => slotsOn({ ...query, date: day })),
    )
    .filter(({ slotTime }) => slotTime.startsWith(date))
    .sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
  const [first, last] = [all[0], all.at(-1)]
  const day = `${weekdays[weekdayOf(date)]} ${date}`
  if (!first || !last) return isPart ? `No times on ${day}.` : `Closed on ${day}.`
  const startOf = ({ startsAt }: OfferedSlot) => startsAt.getTime()
  const latest = Math.max(...notices.map((notice) => notice.latest))
  if (startOf(first) > latest) return beyondHorizon(services, date)
  const near = time ? all.filter((slot) => isNear(startOf(slot))) : all
  const when = time ? `near ${time} on ${date}` : `on ${date}`
  if (near.length === 0)
    return first === last
      ? `No times ${when}: only at ${clockOf(first)}.`
      : `No times ${when}: they are from ${clockOf(first)} to ${clockOf(last)}.`
  const earliest = Math.min(...notices.map((notice) => notice.earliest))
  return near.some((slot) => startOf(slot) >= earliest)
    ? `Full ${when}.`
    : `Too late to book ${when}.`
}

const beyondHorizon = (services: readonly PartyService[], date: string): string => {
  const days = Math.max(...services.map(({ service }) => service.rules.horizon_days))
  return `Takes bookings ${days} days ahead, not yet for ${date}.`
}

const clockOf = ({ slotTime }: OfferedSlot) => slotTime.slice(11, 16)

/** The hint that no venue takes the party; null if one does. */
export function partyHint(missed: readonly (Missed | null)[], { partySize }: WantedVisit) {
  const largest = missed.map((one) => one?.largest ?? Number.POSITIVE_INFINITY)
  const most = Math.max(0, ...largest)
  if (missed.length === 0 || most === Number.POSITIVE_INFINITY) return null
  return (
    `Venues match, but none of them takes a party of ${partySize}: the largest takes ${most}. ` +
    'Split the party, or look in another area.'
  )
}

/** The hint that none of the listed venues is free as requested; null if one is. */
export function missedHint(missed: readonly (Missed | null)[], visit: WantedVisit): string | null {
  const { date, time } = visit
  if (missed.includes(null) || missed.length === 0) return null
  const when = [time && `near ${time}`, date && `on ${date}`].filter(Boolean).join(' ')
  const note = `None of these venues is free ${when}: \`availability.note\` says why.`
  return partyHint(missed, visit) ?? (when ? note : null)
}
