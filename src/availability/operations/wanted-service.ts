import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { wordsOf } from '../../base/plain-text.ts'
import { briefService } from '../rules/compact-slots.ts'
import { lengthsOf, type Wish, wished } from '../rules/service-terms.ts'
import { presentServices } from '../store/present-services.ts'
import { isBookable, type VenueService } from '../store/venue-services.ts'

/** What the guest wants, where the venue has a choice. */
export const wishFields = {
  service: z.string().max(200).optional().describe('Name or id of a service of the venue'),
  minutes: z.int().optional().describe('Its length, where there is a choice'),
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
 * The services, length and person that words mean at a venue, noted in `understood`; throws
 * `service_not_offered`, with what the venue has instead.
 */
export function readWish(
  all: readonly VenueService[],
  words: WishedWords,
  understood?: Record<string, unknown>,
): Wish {
  const services = all.filter((one) => isBookable(one) && one.rules.windows.length > 0)
  const minutes = words.minutes ?? spokenMinutes(services, words.service)
  const service = words.service === undefined ? undefined : named(services, words.service)
  if (service && understood && words.service !== service.name) understood.service = service.name
  const own = service ? [service] : services
  if (minutes !== undefined && !own.some(({ rules }) => lengthsOf(rules).includes(minutes))) {
    throw unknown(
      own,
      `${service?.name ?? 'No service here'} is not offered for ${minutes} minutes.`,
    )
  }
  const wish = { serviceId: service?.id, minutes }
  if (words.with === undefined) return wish
  const leaderId = leaderNamed(own, words.with)
  if (leaderId === undefined || wished(own, { ...wish, leaderId }).length === 0) {
    throw unknown(own, `${service?.name ?? 'No service here'} is not with anybody of that name.`)
  }
  return { ...wish, leaderId }
}

const spokenLength = /\b(\d{1,3})[ -]?(?:min(?:s|utes?)?|menit)\b/i

/** The length that words choose, unless it belongs to the name of a service. */
function spokenMinutes(services: readonly VenueService[], text = ''): number | undefined {
  const said = sameAs(services, text).length > 0 ? undefined : spokenLength.exec(text)?.[1]
  return said === undefined ? undefined : Number(said)
}

/** The services with this id or name; of names that differ in symbols alone, the exact one. */
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
  const has = ({ name }: VenueService) => words.every((word) => wordsOf(name).includes(word))
  const exact = [sameAs(services, text), sameAs(services, rest)].find(({ length }) => length > 0)
  const close = exact ?? services.filter((one) => words.length > 0 && has(one))
  const [only, ...others] = close
  if (!only) throw unknown(services, 'The venue has no service of that name.')
  if (others.length > 0) throw unknown(close, 'Several services have that name.')
  return only
}

function leaderNamed(services: readonly VenueService[], text: string): string | undefined {
  const words = wordsOf(text)
  const ids = services.flatMap(({ resources }) =>
    resources.flatMap(({ name, ids: [id] }) => {
      const has = (word: string) => name !== undefined && wordsOf(name).includes(word)
      const isMeant = words.length > 0 && words.every(has)
      return isMeant && id !== undefined ? [id] : []
    }),
  )
  const [only, ...others] = new Set(ids)
  return others.length === 0 ? only : undefined
}

const unknown = (services: readonly VenueService[], what: string) =>
  refuse('service_not_offered', what, {
    services: presentServices(services).map((one) => ({
      ...briefService(one),
      ...(one.with && { with: one.with }),
    })),
  })
