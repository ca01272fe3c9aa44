import { depositTerms } from '../../availability/rules/deposit.ts'
import { type DayHours, weekOf } from '../../availability/rules/opening-week.ts'
import type { ClassSession } from '../../availability/rules/rules.ts'
import { classesOn } from '../../availability/rules/sessions.ts'
import { datesOf } from '../../availability/store/party-services.ts'
import { presentServices } from '../../availability/store/present-services.ts'
import {
  isBookable,
  selectServicesOf,
  type VenueService,
} from '../../availability/store/venue-services.ts'
import {
  selectNeighbours,
  selectOptionalVenue,
  type VenueRef,
  type VenueRow,
} from '../../availability/store/venues.ts'
import { DAY_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import { addDays, dateOf, toLocal } from '../../base/local-time.ts'
import type { Services } from '../../contract/operation.ts'
import type { ShownService } from '../../contract/services.ts'

/** How many days ahead to list days with unusual hours, and sessions of classes. */
const NOTICE_DAYS = 14
const SESSION_DAYS = 7
const NEIGHBOURS = 6

/** The content of a venue's public page, apart from its times. */
export type PublicVenue = {
  venue: VenueRow
  services: readonly ShownService[]
  week: readonly DayHours[]
  /** the week's hours, except sessions of classes, which are listed for the coming days */
  hours: readonly DayHours[]
  sessions: readonly (Pick<ClassSession, 'start' | 'with'> & {
    date: string
    name: string
    cancelled: string | undefined
  })[]
  /** upcoming days that are closed or have unusual hours; `hours` has the form used for the week */
  exceptions: readonly { date: string; hours: DayHours['hours']; reason: string }[]
  /** null if nothing can be booked */
  terms: {
    partyMin: number
    partyMax: number
    horizonDays: number
    cancelMinutes: number
    spendPerGuestMinor: number
    /** when the venue asks for a deposit, as text */
    deposits: readonly string[]
  } | null
  neighbours: readonly VenueRef[]
}

/** Finds a venue by slug or id; throws `venue_not_found` and `venue_removed`. */
export async function readPublicVenue(
  { db }: Pick<Services, 'db'>,
  slug: string,
  at: Date,
): Promise<PublicVenue> {
  const venue = await selectOptionalVenue(db, slug, false)
  if (!venue) throw refuse('venue_not_found')
  const until = new Date(at.getTime() + NOTICE_DAYS * DAY_MS)
  const [services, neighbours] = await Promise.all([
    selectServicesOf(db, venue.id, datesOf({ from: at, until })),
    selectNeighbours(db, venue.id, NEIGHBOURS),
  ])
  const today = dateOf(toLocal(venue.timezone, at))
  return {
    venue,
    neighbours,
    services: presentServices(services),
    week: weekOf(services.flatMap(({ rules }) => rules.windows)),
    hours: weekOf(services.flatMap(({ rules }) => (rules.sessions ? [] : rules.windows))),
    sessions: sessionsFrom(services, today),
    exceptions: exceptionsOf(services, today, addDays(today, NOTICE_DAYS)),
    terms: termsOf(services.filter(isBookable)),
  }
}

function sessionsFrom(services: readonly VenueService[], today: string): PublicVenue['sessions'] {
  const dates = Array.from({ length: SESSION_DAYS }, (_, days) => addDays(today, days))
  return dates.flatMap((date) =>
    services
      .flatMap(({ name, ...service }) =>
        classesOn(service, date).map((one) => {
          const leader = service.resources.find((other) => other.name === one.with)
          const isOff = one.with && leader?.days_off?.includes(date)
          const cancelled = one.cancelled ?? (isOff ? `${one.with} is off` : undefined)
          return { ...one, date, name: one.name ?? name, cancelled }
        }),
      )
      .toSorted((one, other) => one.start.localeCompare(other.start)),
  )
}

/** If a day has several exceptions, the first prevails. */
function exceptionsOf(services: readonly VenueService[], from: string, to: string) {
  const all = (services[0]?.exceptions ?? []).filter(({ until }) => until === undefined)
  const first = new Map(all.toReversed().map((exception) => [exception.date, exception]))
  return [...first.values()]
    .filter(({ date }) => date >= from && date <= to)
    .toSorted((one, other) => one.date.localeCompare(other.date))
    .map(({ date, windows, reason }) => ({ date, hours: windows, reason }))
}

function termsOf(services: readonly VenueService[]): PublicVenue['terms'] {
  const [first] = services
  if (!first) return null
  const of = (key: 'party_min' | 'party_max' | 'horizon_days') =>
    services.map(({ rules }) => rules[key])
  return {
    partyMin: Math.min(...of('party_min')),
    partyMax: Math.max(...of('party_max')),
    horizonDays: Math.max(...of('horizon_days')),
    cancelMinutes: first.rules.cancel_cutoff_minutes,
    spendPerGuestMinor: first.rules.spend_per_guest_minor,
    deposits: [
      ...new Set(
        services.flatMap(({ rules, currency }) =>
          (rules.deposits ?? []).map((one) => depositTerms(one, currency)),
        ),
      ),
    ],
  }
}
