import { isDeepStrictEqual } from 'node:util'
import type { ResourceContent, ServiceContent, VenueContent } from '../store/venue-content.ts'
import { hoursText } from './hours.ts'
import { readPlainService } from './plain-service.ts'
import { type PlainFields, plainRecord } from './record.ts'

/** Flat fields that describe exactly these services; undefined if that is impossible. */
export function plainFieldsFor(venue: VenueContent, currency: string): PlainFields | undefined {
  const { category, services, resources } = venue
  const [service, ...others] = services
  if (!service) return { hours: 'off' }
  if (others.length > 0) return undefined
  const stay = service.rules.durations.at(-1)?.minutes
  const fields = {
    hours: hoursText(service.rules.windows),
    ...sizeOf(service, resources),
    spend_per_guest_minor: service.rules.spend_per_guest_minor,
  }
  const stands = (one: PlainFields) => {
    if (!plainRecord.safeParse(one).success) return false
    const reread = readPlainService(category, one, { ...venue, currency })
    return 'value' in reread && isDeepStrictEqual(reread.value, { services, resources })
  }
  return [fields, { ...fields, stay_minutes: stay }].find(stands)
}

function sizeOf(
  { strategy, rules }: ServiceContent,
  resources: readonly ResourceContent[],
): PlainFields {
  if (strategy === 'pooled') return { seats: rules.places }
  if (resources.some(({ kind }) => kind !== 'table')) return { seats: resources.length }
  const number = ({ name }: { name: string }) => Number(name.replace(/\D/g, ''))
  const inOrder = resources.toSorted((one, other) => number(one) - number(other))
  const groups: { count: number; seats: number }[] = []
  for (const { party_max: seats } of inOrder) {
    const last = groups.at(-1)
    if (last?.seats === seats) last.count += 1
    else groups.push({ count: 1, seats })
  }
  return { tables: groups.map(({ count, seats }) => `${count}x${seats}`).join(';') }
}
