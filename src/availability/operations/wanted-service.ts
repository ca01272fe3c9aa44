import { z } from 'zod'
import { Refusal } from '../../base/errors.ts'
import { wordsOf } from '../../base/plain-text.ts'
import { isOffered } from '../rules/rules.ts'
import { leadersOf, lengthsOf, type Wish, wished } from '../rules/service-terms.ts'
import { presentServices, serviceNotOffered } from '../store/present-services.ts'
import { isBookable, type VenueService } from '../store/venue-services.ts'

/** The guest's wish, where the venue has a choice. */
export const wishFields = {
  service: z.string().max(200).optional().describe('Name or id of a service of the venue'),
  minutes: z.int().optional().describe('Its length'),
  with: z.string().max(200).optional().describe('Whom the guest wishes for'),
}
export type WishedWords = {
  service?: string | undefined
  minutes?: number | undefined
  with?: string | undefined
}

export const isWish = ({ service, minutes, with: leader }: WishedWords): boolean =>
  service !== undefined || minutes !== undefined || leader !== undefined

/**
 * Finds the services, length and person that a text means at a venue, and notes them in
 * `understood`. Throws `service_not_offered`, with what the venue has instead.
 */
export function readWish(
  all: readonly VenueService[],
  words: WishedWords,
  understood?: Record<string, unknown>,
): Wish {
  const note = (field: keyof WishedWords, value?: string | number) => {
    if (understood && value !== undefined && value !== words[field]) understood[field] = value
  }
  const services = all.filter((one) => isBookable(one) && isOffered(one.rules))
  const minutes = words.minutes ?? spokenMinutes(services, words.service)
  const service = words.service === undefined ? undefined : named(services, words.service)
  if (words.service !== service?.id) note('service', service?.name)
  note('minutes', minutes)
  const own = service ? [service] : services
  if (minutes !== undefined && !own.some(({ rules }) => lengthsOf(rules).includes(minutes))) {
    throw unknown(
      own,
      `${service?.name ?? 'No service here'} is not offered for ${minutes} minutes.`,
    )
  }
  const wish = { serviceId: service?.id, minutes }
  if (words.with === undefined) return wish
  const [leader, ...others] = leadersNamed(own, words.with)
  if (others.length > 0) throw unknown(own, 'Several people have that name.')
  if (!leader || wished(own, { ...wish, leaderId: leader.id }).length === 0) {
    throw unknown(own, nobodyCalled(words.with, own, service?.name))
  }
  if (words.with !== leader.id) note('with', leader.name)
  return { ...wish, leaderId: leader.id }
}

const spokenLength = /\b(\d{1,3})[ -]?(?:min(?:s|utes?)?|menit)\b/i

/** The length in a text, unless it is part of a service's name. */
function spokenMinutes(services: readonly VenueService[], text = ''): number | undefined {
  const said = sameAs(services, text).length > 0 ? undefined : spokenLength.exec(text)?.[1]
  return said === undefined ? undefined : Number(said)
}

/** The services with this id or name; if names differ only in symbols, the exact one. */
function sameAs(services: readonly VenueService[], text: string): VenueService[] {
  const plain = (one: string) => one.trim().toLowerCase()
  const words = wordsOf(text).join(' ')
  const exact = services.filter(({ id, name }) => [id, plain(name)].includes(plain(text)))
  if (exact.length > 0 || words === '') return exact
  return services.filter(({ name }) => wordsOf(name).join(' ') === words)
}

/** The service with this id or name, or the only one whose name has all these words. */
function named(services: readonly VenueService[], text: string): VenueService {
  const rest = text.replace(spokenLength, ' ')
  const words = wordsOf(rest)
  const singular = (word: string) => word.replace(/s$/, '')
  const has = ({ name }: VenueService) => {
    const own = wordsOf(name).map(singular)
    return words.every((word) => own.includes(singular(word)))
  }
  const exact = [sameAs(services, text), sameAs(services, rest)].find(({ length }) => length > 0)
  const close = exact ?? services.filter((one) => words.length > 0 && has(one))
  const [only, ...others] = close
  if (!only) throw unknown(services, 'The venue has no service of that name.')
  if (others.length > 0) throw unknown(close, 'Several services have that name.')
  return only
}

/** Says whom a guest can wish for. */
function nobodyCalled(text: string, services: readonly VenueService[], service?: string): string {
  const names = [...new Set(presentServices(services).flatMap((one) => one.with ?? []))]
  if (names.length === 0)
    return `${service ?? 'This venue'} has nobody to choose: leave \`with\` out.`
  const choice = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)
  return `Nobody called ${text} gives ${service ?? 'this'} here: choose ${choice}.`
}

/** The people with this id or name, or whose names have all these words. */
function leadersNamed(services: readonly VenueService[], text: string) {
  const words = wordsOf(text)
  const people = leadersOf(services)
  const exact = people.filter(
    ({ id, name }) => id === text || wordsOf(name).join() === words.join(),
  )
  if (exact.length > 0 || words.length === 0) return exact
  return people.filter(({ name }) => words.every((word) => wordsOf(name).includes(word)))
}

const unknown = (services: readonly VenueService[], what: string) =>
  new Refusal(serviceNotOffered(services, what))
