import {
  DEFAULT_CANCEL_CUTOFF_MINUTES,
  type Requirement,
  type Rules,
  type ServicePrice,
} from '../../availability/rules/rules.ts'
import { withSessions } from '../../availability/rules/sessions.ts'
import { largestCombination } from '../../availability/rules/table-combinations.ts'
import * as stored from '../../availability/schema/rules.ts'
import { money } from '../../base/money.ts'
import type { Category } from '../../base/venue-kinds.ts'
import { averageCheck } from '../rules/average-check.ts'
import type { ServiceContent } from '../store/venue-content.ts'
import { type ParsedHours, readHours } from './hours.ts'
import { problemsOf, type ServiceRecord } from './record.ts'
import { misfitOfSessions, sessionsOf } from './sessions.ts'

/** Determines the defaults of a venue's services. */
export type ServiceContext = { category: Category; price_level: number; currency: string }

/** A result with notes, or a problem. */
export type ReadResult<T> = { value: T; notes: string[] } | { problem: string }

const usual = {
  restaurant: { grid: 30, minutes: 120, buffer: 15 },
  bar: { grid: 30, minutes: 120, buffer: 15 },
  gym: { grid: 60, minutes: 60, buffer: 0 },
  spa: { grid: 30, minutes: 60, buffer: 15 },
} as const satisfies Record<Category, object>

const MAX_POOLED_PARTY = 10

/** A service with all its rules; missing values get the category's default. */
export function readService(
  record: ServiceRecord,
  context: ServiceContext,
): ReadResult<ServiceContent> {
  const { name, strategy } = record
  const { category, price_level, currency } = context
  const hours = record.sessions ? { windows: [], note: undefined } : windowsOf(record)
  if ('problem' in hours) return hours
  const usualSpend = averageCheck(category, price_level, currency)
  const spend = record.spend_per_guest_minor ?? usualSpend
  if (spend === undefined) {
    return { problem: `spend_per_guest_minor: is missing, and there is no default in ${currency}` }
  }
  const rules = rulesOf(record, category, { windows: hours.windows, spend_per_guest_minor: spend })
  const given = record.price?.currency
  if (given !== undefined && given !== currency) {
    return { problem: `price: is in ${given}, but the venue has ${currency}` }
  }
  const problem = misfit(record, rules)
  if (problem) return { problem }
  const checked = stored.rules.safeParse(rules)
  if (!checked.success) return { problem: problemsOf(checked.error) }
  const notes = [
    ...(hours.note === undefined ? [] : [`hours: ${hours.note}`]),
    ...tinyPrices(rules, currency, usualSpend),
  ]
  return { value: { name, strategy, rules }, notes }
}

/** A note if the price looks as if it was not written in minor units. */
function tinyPrices({ price, lengths = [] }: Rules, currency: string, usualSpend = 0): string[] {
  const amounts = [price, ...lengths].flatMap((one) => one?.amount_minor ?? [])
  const tiny = amounts.find((amount) => amount > 0 && amount < usualSpend / 100)
  if (tiny === undefined) return []
  return [`price: is ${money(tiny, currency)}: amount_minor is in minor units`]
}

function rulesOf(
  record: ServiceRecord,
  category: Category,
  rules: Pick<Rules, 'windows' | 'spend_per_guest_minor'>,
): Rules {
  const { strategy, resources, deposits, description, lengths, leader } = record
  const sessions = sessionsOf(record, usual[category].minutes)
  const { kind = sessions && 'class' } = record
  const { currency: _, ...price } = record.price ?? {}
  const { grid, minutes, buffer } = usual[category]
  const requires = strategy === 'exclusive' ? (record.requires ?? oneOfEach(resources)) : []
  const {
    party_max = largestParty(record, requires),
    grid_minutes = grid,
    durations = [{ party_max, minutes: lengths?.[0]?.minutes ?? minutes }],
    buffer_minutes = buffer,
    party_min = 1,
    lead_minutes = 60,
    horizon_days = 60,
    cancel_cutoff_minutes = DEFAULT_CANCEL_CUTOFF_MINUTES,
    places = 0,
  } = record
  const all: Rules = {
    ...rules,
    grid_minutes,
    durations,
    buffer_minutes,
    party_min,
    party_max,
    lead_minutes,
    horizon_days,
    cancel_cutoff_minutes,
    requires,
    places: strategy === 'pooled' ? places : 0,
    ...(kind && { kind }),
    ...(description && { description }),
    ...(record.price && { price: price as ServicePrice }),
    ...(lengths && { lengths }),
    ...(leader && { leader }),
    ...(deposits && { deposits }),
  }
  return sessions ? withSessions(all, sessions) : all
}

/** The opening hours of a service, or a person's own. */
export function windowsOf({
  hours,
  windows,
}: Pick<ServiceRecord, 'hours' | 'windows'>): ParsedHours {
  if (windows && hours === undefined) return { windows }
  if (windows || hours === undefined) return { problem: 'give either hours or windows' }
  const parsed = readHours(hours)
  if ('problem' in parsed) return { problem: `hours: ${parsed.problem}` }
  if (parsed.windows.length > 0) return parsed
  return { problem: 'hours: is never open; leave out a service that is not offered' }
}

type Sized = ServiceRecord['resources'][number]

const oneOfEach = (resources: readonly Sized[]): Requirement[] =>
  [...Map.groupBy(resources, ({ kind }) => kind)].map(([kind, those]) => ({
    kind,
    per: 'party',
    ...(those.some(({ joins }) => joins !== null) && { max_joined: 2 }),
  }))

function largestParty(record: ServiceRecord, requires: readonly Requirement[]) {
  const { resources, places = 1, sessions = [] } = record
  if (requires.length === 0) {
    const most = Math.max(places, ...sessions.map((one) => one.places ?? 1))
    return Math.min(most, MAX_POOLED_PARTY)
  }
  const largest = requires.map(({ kind, per, max_joined = 1 }) => {
    const those = resources.filter((resource) => resource.kind === kind)
    if (per === 'guest') return those.length
    const single = Math.max(0, ...those.map(({ party_max = 1 }) => party_max))
    const groups = those.flatMap(({ joins, party_max = 1 }) =>
      joins === null || joins === '' ? [] : [{ joins, party_max, count: 1 }],
    )
    return max_joined < 2 ? single : Math.max(single, largestCombination(groups, max_joined))
  })
  return Math.min(...largest)
}

/** Why the rules conflict with the strategy or with each other. */
const misfit = (record: ServiceRecord, rules: Rules): string | undefined =>
  (record.sessions && misfitOfSessions(record)) ??
  (record.strategy === 'exclusive' ? misfitOfExclusive(record, rules) : misfitOfShared(record)) ??
  misfitOfParty(rules) ??
  misfitOfTerms(rules)

function misfitOfExclusive({ resources, places }: ServiceRecord, { requires }: Rules) {
  if (places !== undefined) return 'places: only for pooled services; use resources'
  const lacking = requires.find(({ kind }) => !resources.some((one) => one.kind === kind))
  if (lacking) return `requires: there is no resource of the kind ${lacking.kind}`
  const pointless = requires.find(({ per, max_joined }) => per === 'guest' && max_joined)
  if (pointless)
    return `requires: max_joined is for parties; guests take one ${pointless.kind} each`
  return requires.length > 0 ? undefined : 'resources: an exclusive service needs at least one'
}

function misfitOfShared({ strategy, resources, requires, places, sessions }: ServiceRecord) {
  if (sessions) return undefined
  if (resources.length > 0 || requires?.length) return 'resources: only for exclusive services'
  return strategy === 'pooled' && places === undefined ? 'places: is missing' : undefined
}

function misfitOfTerms({ leader, requires, sessions, price, lengths = [], durations }: Rules) {
  if (leader !== undefined && !sessions && !requires.some(({ kind }) => kind === leader)) {
    return `leader: no ${leader} is required`
  }
  if (lengths.length > 0 && lengths[0]?.minutes !== durations[0]?.minutes) {
    return 'durations: give lengths instead, the usual one first'
  }
  const isPriced = lengths.some(({ amount_minor }) => amount_minor !== undefined)
  return isPriced && !price ? 'lengths: have prices, but price has no per' : undefined
}

function misfitOfParty({ party_min, party_max, durations }: Rules) {
  if (party_min > party_max)
    return `party_min: ${party_min} is greater than party_max (${party_max})`
  const sizes = durations.map((duration) => duration.party_max)
  if (sizes.some((size, index) => size <= (sizes[index - 1] ?? 0))) return 'durations: must ascend'
  if ((sizes.at(-1) ?? 0) < party_max) return `durations: none covers a party of ${party_max}`
  return undefined
}
