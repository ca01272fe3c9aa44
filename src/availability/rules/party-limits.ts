import { type RefusalData, refusalData } from '../../base/errors.ts'
import { type Capacity, couldTake } from './capacity.ts'

type PartyLimits = { party_min: number; party_max: number }

/** Refuses a party outside these limits; `when` is the time to which they belong. */
export function outsideLimits({ party_min, party_max }: PartyLimits, size: number, when = '') {
  if (size >= party_min && size <= party_max) return undefined
  const code = size < party_min ? 'party_too_small' : 'party_too_large'
  const what = `Parties of ${party_min} to ${party_max} can be booked${when}, not ${size}.`
  return refusalData(code, what, { party_min, party_max })
}

/** The sizes of parties that a venue's services could take; undefined if none. */
export function partyLimits(services: readonly Capacity[]) {
  const least = Math.min(...services.map(({ rules }) => rules.party_min))
  const most = Math.max(...services.map(({ rules }) => rules.party_max))
  const sizes: number[] = []
  for (let size = least; size <= most; size += 1)
    if (services.some((service) => couldTake(service, size))) sizes.push(size)
  const [party_min, party_max] = [sizes[0], sizes.at(-1)]
  if (party_min === undefined || party_max === undefined) return undefined
  return { party_min, party_max, sizes }
}

/** Refuses a party that no service could ever take, with the sizes that are possible. */
export function partyRefusal(services: readonly Capacity[], size: number): RefusalData | undefined {
  if (services.some((service) => couldTake(service, size))) return undefined
  const limits = partyLimits(services)
  if (!limits) return undefined
  const { party_min, sizes } = limits
  const party_max = sizes.findLast((one) => one < size)
  const what = `Nothing here takes a party of exactly ${size}.`
  return (
    outsideLimits(limits, size) ?? refusalData('party_too_large', what, { party_min, party_max })
  )
}
