import { type RefusalData, refusalData } from '../../base/errors.ts'
import type { ShownService } from '../../contract/services.ts'
import { briefService } from '../rules/compact-slots.ts'
import type { ServicePrice } from '../rules/rules.ts'
import { type FeeTerms, lengthsOf, priceOf, priceText } from '../rules/service-terms.ts'
import { sessionNames } from '../rules/sessions.ts'
import { choosable, type VenueService } from './venue-services.ts'

/** Services that can be booked, in booking order, as guests would ask for them. */
export const presentServices = (services: readonly VenueService[]): ShownService[] =>
  choosable(services).map(({ id, name, rules, resources, currency }) => {
    const { kind, description, party_min, party_max } = rules
    const minutes = lengthsOf(rules)
    const prices = minutes.flatMap((length) => shownPrice(rules, length, currency) ?? [])
    const isSame = new Set(prices.map(({ text }) => text)).size === 1
    const led = new Set(rules.sessions?.map((one) => one.with))
    const names = resources.flatMap(({ name }) =>
      name && (!rules.sessions || led.has(name)) ? [name] : [],
    )
    return {
      id,
      name,
      ...(kind && { kind }),
      ...(description && { description }),
      minutes,
      ...(prices.length > 0 && { prices: isSame ? prices.slice(0, 1) : prices }),
      party_min,
      party_max,
      ...(names.length > 0 && { with: names }),
    }
  })

/** `service_not_offered`, with the services that the venue has instead. */
export function serviceNotOffered(services: readonly VenueService[], what: string): RefusalData {
  const sessionsOf = new Map(services.map(({ id, rules }) => [id, sessionNames(rules)]))
  return refusalData('service_not_offered', what, {
    services: presentServices(services).map((one) => ({
      ...briefService(one),
      ...(sessionsOf.get(one.id)?.length && { sessions: sessionsOf.get(one.id) }),
      ...(one.with && { with: one.with }),
    })),
  })
}

/** The price of a service of this length as every door shows it. */
export function shownPrice(terms: FeeTerms, minutes: number, currency: string) {
  const price = priceOf(terms, minutes)
  return price && { ...(price satisfies ServicePrice), currency, text: priceText(price, currency) }
}
