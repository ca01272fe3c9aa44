import type { ClassSession } from '../../availability/rules/rules.ts'
import { clashIn, leadsOf, withSessions } from '../../availability/rules/sessions.ts'
import { addDays, dateOf } from '../../base/local-time.ts'
import { quoted } from '../../contract/safe-text.ts'
import type { ServiceContent, VenueContent } from '../store/venue-content.ts'
import type { ServiceRecord } from './record.ts'

/** The last local date that is over everywhere. */
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

/** Why sessions do not suit the other fields of a service. */
export function misfitOfSessions(record: ServiceRecord): string | undefined {
  const { strategy, sessions = [], leader, resources } = record
  if (strategy !== 'pooled') return 'sessions: only for pooled services'
  const extra = (['hours', 'windows', 'grid_minutes', 'lengths'] as const).find(
    (one) => record[one],
  )
  if (extra) return `${extra}: the sessions say it; leave it out`
  for (const [index, one] of sessions.entries()) {
    const where = `sessions.${index}`
    if (one.places === undefined && record.places === undefined && !one.cancelled) {
      return `${where}.places: is missing`
    }
    const twin = sessions.findIndex(
      ({ day, date, start }) => day === one.day && date === one.date && start === one.start,
    )
    if (twin < index) return `${where}: begins when sessions.${twin} does`
    if (one.with === undefined) continue
    if (leader === undefined) return `leader: is missing; say what ${quoted(one.with)} is`
    if (!resources.some(({ kind, name }) => kind === leader && name === one.with)) {
      return `${where}.with: no ${leader} is called ${quoted(one.with)}`
    }
  }
  return undefined
}

/** Sessions that one person would have to lead at the same time. */
export function ledTwice({
  services = [],
  resources = [],
}: Partial<Pick<VenueContent, 'services' | 'resources'>>): string | undefined {
  for (const one of resources) {
    const clash = clashIn(leadsOf(services, one) ?? [])
    if (clash) return `sessions: ${quoted(one.name)} leads two at ${clash.slice(0, 16)}`
  }
  return undefined
}

/** Services from a file, with stored deposits and sessions to come that the file does not name. */
export function withOwnTerms(
  services: readonly ServiceContent[],
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
    const isOwn = sessions !== undefined && own.length > 0
    return { ...service, rules: isOwn ? withSessions(rules, [...sessions, ...own]) : rules }
  })
}
