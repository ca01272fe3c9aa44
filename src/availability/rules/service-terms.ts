import { HOUR_MS, MINUTE_MS } from '../../base/durations.ts'
import { money } from '../../base/money.ts'
import type { ResourceGroup } from './capacity.ts'
import type { Rules, ServicePrice } from './rules.ts'
import { isCalled, NOT_WISHED, onlySessions } from './sessions.ts'

/** The lengths in minutes that a guest can choose, the usual one first. */
export const lengthsOf = ({
  lengths,
  durations,
  sessions,
}: Pick<Rules, 'lengths' | 'durations' | 'sessions'>) => {
  const own = sessions?.filter(({ cancelled }) => cancelled !== NOT_WISHED)
  return [...new Set((own ?? lengths ?? durations).map(({ minutes }) => minutes))]
}

/** What determines the base of a booking's fee. */
export type FeeTerms = Pick<Rules, 'price' | 'lengths' | 'spend_per_guest_minor'>

/** The price of a service of this length; undefined if it has none. */
export function priceOf({ price, lengths }: FeeTerms, minutes?: number): ServicePrice | undefined {
  const own = lengths?.find((one) => one.minutes === minutes)?.amount_minor
  if (!price || own === undefined) return price
  const { up_to_minor: _, ...rest } = price
  return { ...rest, amount_minor: own }
}

/** The base of a fee, per guest or per booking: the price or, without one, the usual spend. */
export function baseOf(terms: FeeTerms, ms: number): { minor: number; per: 'guest' | 'booking' } {
  const price = priceOf(terms, ms / MINUTE_MS)
  if (!price) return { minor: terms.spend_per_guest_minor, per: 'guest' }
  const { amount_minor: minor, per } = price
  return per === 'hour'
    ? { minor: Math.round((minor * ms) / HOUR_MS), per: 'booking' }
    : { minor, per }
}

/** The base of the fee for a party that stays from `from` to `until`. */
export function feeBase(terms: FeeTerms, partySize: number, from: Date, until: Date): number {
  const { minor, per } = baseOf(terms, until.getTime() - from.getTime())
  return per === 'guest' ? minor * partySize : minor
}

/** A price for people: `IDR 350,000++ per guest`. */
export function priceText(price: ServicePrice, currency: string): string {
  const { amount_minor, up_to_minor, per, taxes } = price
  const range = up_to_minor === undefined ? '' : ` to ${money(up_to_minor, currency)}`
  const plus = taxes === 'excluded' ? '++' : ''
  const note = taxes === 'included' ? ', tax and service included' : ''
  return `${money(amount_minor, currency)}${range}${plus} per ${per}${note}`
}

/** What a guest is expected to pay, its price or the usual spend; undefined if unknown. */
export function expectedPrice(terms: FeeTerms, minutes: number, currency: string) {
  const price = priceOf(terms, minutes)
  if (price) return priceText(price, currency)
  const { spend_per_guest_minor: spend } = terms
  return spend > 0 ? `about ${money(spend, currency)} per guest` : undefined
}

/** What a guest wishes to book at a venue; by default, the first service that takes the party. */
export type Wish = {
  serviceId?: string | undefined
  /** the name of sessions of that service, a class */
  session?: string | undefined
  minutes?: number | undefined
  /** the length that a change keeps where there is a choice */
  keptMinutes?: number | undefined
  /** a resource of the service's kind of leader */
  leaderId?: string | undefined
}

/** The people who can be wished for. */
export function leadersOf(services: readonly Pick<Wishable, 'resources'>[]) {
  const people = services.flatMap(({ resources }) =>
    resources.flatMap(({ name, ids: [id] }) => (name && id ? [{ id, name }] : [])),
  )
  return [...new Map(people.map((one) => [one.id, one])).values()]
}

type Wishable = { id: string; rules: Rules; resources: readonly ResourceGroup[] }

/** The services that can fulfil a wish, with the length and the leader fixed. */
export function wished<S extends Wishable>(
  services: readonly S[],
  { serviceId, session, minutes, keptMinutes, leaderId }: Wish,
): S[] {
  return services.flatMap((service) => {
    if (serviceId !== undefined && service.id !== serviceId) return []
    const named = rulesOf(service.rules, session)
    const any = named && rulesFor(named, minutes, keptMinutes, serviceId !== undefined)
    if (!any) return []
    if (leaderId === undefined) return [{ ...service, rules: any }]
    const leader = service.resources.find(
      ({ kind, ids }: ResourceGroup) => kind === any.leader && ids.includes(leaderId),
    )
    if (!leader) return []
    const rules = any.sessions ? onlySessions(any, (one) => one.with === leader.name) : any
    if (!rules) return []
    const requires = rules.requires.map((one) =>
      one.kind === rules.leader ? { ...one, wished: leaderId } : one,
    )
    return [{ ...service, rules: { ...rules, requires } }]
  })
}

/** `Massage lasts 60 minutes for 1 guest and 90 for 2.` */
export function lengthsByParty(name: string, { durations, party_min, party_max }: Rules): string {
  const parts = durations.flatMap(({ minutes, party_max: most }, index) => {
    const from = Math.max(party_min, (durations[index - 1]?.party_max ?? 0) + 1)
    const to = Math.min(party_max, most)
    return from > to ? [] : [{ minutes, to, size: from === to ? `${to}` : `${from} to ${to}` }]
  })
  const [first, ...others] = parts.map(({ minutes, to, size }, index) =>
    index > 0 ? `${minutes} for ${size}` : `${minutes} minutes for ${size} guest${plural(to)}`,
  )
  return `${name} lasts ${[first, others.join(', ')].filter(Boolean).join(' and ')}.`
}
const plural = (count: number) => (count === 1 ? '' : 's')

/** A wish with ids, as requests take it, so that equal requests have equal bodies. */
export const plainWish = ({ serviceId, session, minutes, leaderId }: Wish) => ({
  ...(serviceId !== undefined && { service: [serviceId, session ?? []].flat().join(' ') }),
  ...(minutes !== undefined && { minutes }),
  ...(leaderId !== undefined && { with: leaderId }),
})

/** The `service` of a plain wish. */
export function wishOfService(plain: string): Pick<Wish, 'serviceId' | 'session'> {
  const [serviceId, ...words] = plain.split(' ')
  return { serviceId, session: words.length > 0 ? words.join(' ') : undefined }
}

/** The rules with only the sessions of this name, if any; undefined if there are none. */
function rulesOf(rules: Rules, session: string | undefined): Rules | undefined {
  if (session === undefined) return rules
  const only = onlySessions(rules, (one) => isCalled(one, session))
  return only && { ...only, session }
}

/**
 * The rules for stays of this length; undefined if there are none. Without lengths to choose from,
 * they cover only parties whose usual stay has this length.
 */
function rulesFor(
  rules: Rules,
  minutes: number | undefined,
  keptMinutes: number | undefined,
  isKept: boolean,
): Rules | undefined {
  const { lengths, durations, party_min, party_max } = rules
  if (rules.sessions) {
    return minutes ? onlySessions(rules, (one) => one.minutes === minutes) : rules
  }
  const has = (length?: number) => lengths?.some((one) => one.minutes === length)
  // A named service keeps the length or is not offered; other services may use their own.
  const chosen = minutes ?? (lengths && (isKept || has(keptMinutes)) ? keptMinutes : undefined)
  if (chosen === undefined) return rules
  if (lengths) {
    const own = lengths.filter((one) => one.minutes === chosen)
    if (own.length === 0) return undefined
    return { ...rules, lengths: own, durations: [{ party_max, minutes: chosen }] }
  }
  const at = durations.findIndex((one) => one.minutes === chosen)
  const own = durations[at]
  if (!own) return undefined
  return {
    ...rules,
    durations: [own],
    party_min: Math.max(party_min, (durations[at - 1]?.party_max ?? 0) + 1),
    party_max: Math.min(party_max, own.party_max),
  }
}
