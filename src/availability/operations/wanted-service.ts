import { z } from 'zod'
import { Refusal } from '../../base/errors.ts'
import { nameWords, plainWords } from '../../base/plain-text.ts'
import { servicesInEnglish } from '../../base/service-names.ts'
import { leadersOf, lengthsOf, plainWish, type Wish, wished } from '../rules/service-terms.ts'
import { fullName, sessionNames } from '../rules/sessions.ts'
import { presentServices, serviceNotOffered } from '../store/present-services.ts'
import { choosable, type VenueService } from '../store/venue-services.ts'

/** The guest's wish, where the venue has a choice. */
export const wishFields = {
  service: z.string().max(250).optional().describe('Name or id of a service or session'),
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
  const services = choosable(all)
  const minutes = words.minutes ?? spokenMinutes(services, words.service)
  const { service, session } =
    words.service === undefined ? {} : named(services, words.service, minutes)
  const chosen = { serviceId: service?.id, session }
  if (service && words.service !== plainWish(chosen).service) {
    note('service', fullName(service.name, session))
  }
  note('minutes', minutes)
  const own = service ? wished([service], chosen) : services
  if (minutes !== undefined && !own.some(({ rules }) => lengthsOf(rules).includes(minutes))) {
    throw unknown(
      own,
      `${session ?? service?.name ?? 'No service here'} is not offered for ${minutes} minutes.`,
    )
  }
  const wish = { ...chosen, minutes }
  if (words.with === undefined) return wish
  const [leader, ...others] = leadersNamed(own, words.with)
  if (others.length > 0) throw unknown(own, 'Several people have that name.')
  if (!leader || wished(own, { ...wish, leaderId: leader.id }).length === 0) {
    throw unknown(own, nobodyCalled(words.with, own, service && fullName(service.name, session)))
  }
  if (words.with !== leader.id) note('with', leader.name)
  return { ...wish, leaderId: leader.id }
}

const spokenLength = /\b(\d{1,3})[ -]?(?:min(?:s|utes?)?|menit)\b/i

/** The length in a text, unless it is part of a name. */
function spokenMinutes(services: readonly VenueService[], text = ''): number | undefined {
  const isName = namesIn(services).some((all) => sameAs(all, text).length > 0)
  const said = isName ? undefined : spokenLength.exec(text)?.[1]
  return said === undefined ? undefined : Number(said)
}

/** A service, or the sessions of a class that have this name, and what each can be called. */
type Named = { service: VenueService; session?: string; names: string[] }

/** What can be chosen by name: services and, after them, sessions. */
const namesIn = (services: readonly VenueService[]): readonly Named[][] => [
  services.map((service) => ({ service, names: [service.id, service.name] })),
  services.flatMap((service) =>
    sessionNames(service.rules).map((session) => {
      const { service: id = '' } = plainWish({ serviceId: service.id, session })
      return { service, session, names: [id, session, fullName(service.name, session)] }
    }),
  ),
]

/** Those with this id or name; if names differ only in symbols, the exact one. */
function sameAs(all: readonly Named[], text: string): Named[] {
  const plain = (one: string) => one.trim().toLowerCase()
  const words = plainWords(text).join(' ')
  const exact = all.filter(({ names }) => names.some((name) => plain(name) === plain(text)))
  if (exact.length > 0 || words === '') return exact
  return all.filter(({ names }) => names.some((name) => plainWords(name).join(' ') === words))
}

const asSaid = (text: string) => text

/**
 * What has this id or name, or the only one whose name has all these words, in English if need be.
 * Of several, the only one of this length.
 */
function named(services: readonly VenueService[], text: string, minutes?: number): Named {
  const rest = text.replace(spokenLength, ' ')
  const hasIn = (read: typeof asSaid) => {
    const words = nameWords(read(rest))
    return ({ service, names }: Named) => {
      const kind = service.rules.sessions ? 'class session' : ''
      const own = nameWords(read([...names, kind].join(' ')))
      return words.length > 0 && words.every((word) => own.includes(word))
    }
  }
  const all = namesIn(services)
  const exact = all.flatMap((some) => [sameAs(some, text), sameAs(some, rest)])
  const ways = [asSaid, servicesInEnglish].map(hasIn)
  const near = ways.flatMap((has) => all.map((some) => some.filter(has)))
  const close = [...exact, ...near].find(({ length }) => length > 0)
  const [only, ...others] = close ?? []
  if (!close || !only) throw unknown(services, 'The venue has no service or session of that name.')
  if (others.length === 0) return only
  const [fitting, ...more] = close.filter(
    ({ service }) => minutes !== undefined && lengthsOf(service.rules).includes(minutes),
  )
  if (fitting && more.length === 0) return fitting
  const alike = [...new Set(close.map(({ service }) => service))]
  throw unknown(alike, `Several ${only.session ? 'session' : 'service'}s have that name.`)
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
  const words = plainWords(text)
  const people = leadersOf(services)
  const exact = people.filter(
    ({ id, name }) => id === text || plainWords(name).join() === words.join(),
  )
  if (exact.length > 0 || words.length === 0) return exact
  return people.filter(({ name }) => words.every((word) => plainWords(name).includes(word)))
}

const unknown = (services: readonly VenueService[], what: string) =>
  new Refusal(serviceNotOffered(services, what))
