import { type RefusalData, refusalData } from '../../base/errors.ts'
import { type Capacity, couldTake } from './capacity.ts'

/** The sizes of parties that some of these services could take, ascending. */
function sizesOf(services: readonly Capacity[]): number[] {
  const least = Math.min(...services.map(({ rules }) => rules.party_min))
  const most = Math.max(...services.map(({ rules }) => rules.party_max))
  if (services.length === 0) return []
  const all = Array.from({ length: most - least + 1 }, (_, index) => least + index)
  return all.filter((size) => services.some((service) => couldTake(service, size)))
}

/** The smallest and the largest party that a venue's services could take; undefined if none. */
export function partyLimits(services: readonly Capacity[]) {
  const sizes = sizesOf(services)
  const [party_min, party_max] = [sizes[0], sizes.at(-1)]
  return party_min === undefined || party_max === undefined ? undefined : { party_min, party_max }
}

/** Refuses a party that no service could ever take, with the sizes that are possible. */
export function partyRefusal(services: readonly Capacity[], size: number): RefusalData | undefined {
  if (services.some((service) => couldTake(service, size))) return undefined
  const limits = partyLimits(services)
  return limits && refusalFor(sizesOf(services), limits, size)
}

function refusalFor(
  sizes: readonly number[],
  limits: { party_min: number; party_max: number },
  size: number,
): RefusalData {
  const { party_min, party_max } = limits
  if (size < party_min || size > party_max) {
    const code = size < party_min ? 'party_too_small' : 'party_too_large'
    const what = `Parties of ${party_min} to ${party_max} can be booked, not ${size}.`
    return refusalData(code, what, limits)
  }
  const smaller = sizes.findLast((one) => one < size) ?? party_min
  const what = `Nothing here takes a party of exactly ${size}.`
  return refusalData('party_too_large', what, { ...limits, party_max: smaller })
}
