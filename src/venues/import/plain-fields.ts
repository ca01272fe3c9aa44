import { isDeepStrictEqual } from 'node:util'
import type { OfferingContent, VenueContent } from '../store/venue-content.ts'
import { hoursText } from './hours.ts'
import { readOffering } from './offerings.ts'
import { plainOffering } from './plain-offering.ts'
import { type PlainFields, plainRecord } from './record.ts'

/** Flat fields that describe exactly these offerings; undefined if impossible, as for several. */
export function plainFieldsFor(venue: VenueContent, currency: string): PlainFields | undefined {
  const { category, offerings } = venue
  const [offering, ...others] = offerings
  if (!offering) return { hours: 'off' }
  if (others.length > 0) return undefined
  const stay = offering.rules.durations.at(-1)?.minutes
  const fields = {
    hours: hoursText(offering.rules.windows),
    ...sizeOf(offering),
    spend_per_guest_minor: offering.rules.spend_per_guest_minor,
  }
  const stands = (one: PlainFields) => {
    if (!plainRecord.safeParse(one).success) return false
    const plain = plainOffering(category, one)
    if ('problem' in plain) return false
    const reread = readOffering(plain.offering, { ...venue, currency })
    return 'value' in reread && isDeepStrictEqual(reread.value, offering)
  }
  return [fields, { ...fields, stay_minutes: stay }].find(stands)
}

function sizeOf({ strategy, rules, resources }: OfferingContent): PlainFields {
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
