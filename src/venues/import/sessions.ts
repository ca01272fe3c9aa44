import type { ClassSession } from '../../availability/rules/rules.ts'
import { clashIn, type Lead, leadsOf, withSessions } from '../../availability/rules/sessions.ts'
import { addDays, dateOf, weekdays } from '../../base/local-time.ts'
import { quoted } from '../../contract/safe-text.ts'
import type { ResourceContent, ServiceContent, VenueContent } from '../store/venue-content.ts'
import type { ServiceRecord } from './record.ts'

type ServiceList = Pick<VenueContent, 'services' | 'resources'>

/** The last date that is over in every time zone. */
export const lastDateOver = (at: Date) => addDays(dateOf(at.toISOString()), -2)

/** The sessions of a record, with their lengths and places. */
export const sessionsOf = (
  { sessions, places = 1, durations }: ServiceRecord,
  usualMinutes: number,
): ClassSession[] | undefined =>
  sessions?.map((one) => ({
    ...one,
    minutes: one.minutes ?? durations?.[0]?.minutes ?? usualMinutes,
    places: one.places ?? places,
  }))

/** Why sessions conflict with the other fields of a service. */
export function misfitOfSessions(record: ServiceRecord): string | undefined {
  const { strategy, sessions = [], leader, resources } = record
  if (strategy !== 'pooled') return 'sessions: only for pooled services'
  const extra = (['hours', 'windows', 'grid_minutes', 'lengths'] as const).find(
    (one) => record[one],
  )
  if (extra) return `${extra}: the sessions determine it; leave it out`
  for (const [index, one] of sessions.entries()) {
    const where = `sessions.${index}`
    if (one.places === undefined && record.places === undefined && !one.cancelled) {
      return `${where}.places: is missing`
    }
    const twin = sessions.findIndex(
      ({ day, date, start }) => day === one.day && date === one.date && start === one.start,
    )
    if (twin < index) return `${where}: begins at the same time as sessions.${twin}`
    if (one.with === undefined || one.cancelled) continue
    if (leader === undefined) return `leader: is missing; say what ${quoted(one.with)} is`
    if (!resources.some(({ kind, name }) => kind === leader && name === one.with)) {
      return `${where}.with: no ${leader} is called ${quoted(one.with)}`
    }
  }
  return undefined
}

/** Sessions that one person would have to lead at the same time. */
export function ledTwice(
  { services = [], resources = [] }: Partial<ServiceList>,
  place: { timezone: string; at: Date },
): string | undefined {
  for (const one of resources) {
    const clash = clashIn(leadsOf(services, one) ?? [], place)
    if (!clash) continue
    const [first, second] = clash.leads.map((lead) => {
      const on = lead.date ?? weekdays[lead.day ?? 0]
      return `${nameOf(services, one.name, lead)}, ${on} ${lead.start}, ${lead.minutes} minutes`
    })
    const night = clash.leads.every(({ date }) => !date) && clash.date < LAST_CHANGE
    const when = night ? ` on ${clash.date}, when clocks change` : ''
    return `sessions: ${quoted(one.name)} leads two at once${when}: ${first}; and ${second}`
  }
  return undefined
}

/** Weekly sessions that overlap every week are reported on a date after this year. */
const LAST_CHANGE = '2998'

const nameOf = (services: readonly ServiceContent[], leader: string, lead: Lead) =>
  services.flatMap(({ name, rules: { sessions = [] } }) =>
    sessions
      .filter(
        ({ day, date, start }) => day === lead.day && date === lead.date && start === lead.start,
      )
      .filter((one) => one.with === leader && !one.cancelled)
      .map((one) => one.name ?? name),
  )[0]

/** The person of this name who can lead sessions of a service; undefined if there is none. */
export const leaderOf = (
  { name, rules }: ServiceContent,
  resources: readonly ResourceContent[],
  leader: string | undefined,
) =>
  resources.find(
    (one) => one.kind === rules.leader && one.name === leader && (one.can?.includes(name) ?? true),
  )

/**
 * Services from a file, plus stored deposits and upcoming sessions that the file does not name. A
 * session loses a leader who is not in the file.
 */
export function withOwnTerms(
  { services, resources = [] }: Pick<ServiceList, 'services'> & Partial<ServiceList>,
  stored: readonly ServiceContent[],
  at: Date,
): ServiceContent[] {
  const keyOf = ({ date, start }: ClassSession) => `${date} ${start}`
  return services.map((service) => {
    const before = stored.find(({ name }) => name === service.name)?.rules
    const { sessions, deposits = before?.deposits } = service.rules
    const rules = { ...service.rules, ...(deposits && { deposits }) }
    const named = new Set(sessions?.map(keyOf))
    const own = (before?.sessions ?? []).filter(
      (one) => one.date && one.date > lastDateOver(at) && !named.has(keyOf(one)),
    )
    if (sessions === undefined || own.length === 0) return { ...service, rules }
    const led = own.map(({ with: leader, ...one }) =>
      leaderOf(service, resources, leader) ? { ...one, with: leader } : one,
    )
    return { ...service, rules: withSessions(rules, [...sessions, ...led]) }
  })
}

/** Notes for sessions that lose their leader through an import. */
export const leaderlessNotes = (
  { name, rules: { sessions: before = [] } }: ServiceContent,
  { rules: { sessions = [] } }: ServiceContent,
): string[] =>
  before.flatMap((one) => {
    const isSame = ({ date, start }: ClassSession) => date === one.date && start === one.start
    const now = sessions.find(isSame)
    if (!one.date || !one.with || !now || now.with || now.cancelled) return []
    const way = 'name another with `session add --with`, or cancel it'
    return [`${name}: nobody leads ${one.date} ${one.start} without ${quoted(one.with)}; ${way}`]
  })
