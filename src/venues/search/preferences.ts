import { choosable } from '../../availability/store/venue-services.ts'
import { type AskedService, type AskedServices, forLengths } from './asked-services.ts'
import type { FoundVenues } from './find-venues.ts'
import { latePreference } from './late-hours.ts'
import type { Preference } from './preference.ts'
import { pricePreference } from './price-preference.ts'
import type { RequestedTime } from './requested-time.ts'
import type { UnderstoodQuery } from './understand.ts'

/** The venues of a block that fit the requested price and hours, with notes about both. */
export type PreferredVenues = {
  /** each shown venue's position by price or hours, keyed by its index */
  kept: ReadonlyMap<number, number>
  price: string | null
  hours: string | null
  assumed: string | null
  unmet: string | null
}

/** Whether venues are to be compared by price, length, closing time or what is not wanted. */
export const isSelective = ({ visit: { price, late, minutes }, parsed }: UnderstoodQuery) =>
  price !== null || late !== null || minutes.length > 0 || parsed.avoided.length > 0

/**
 * Keeps venues that match the preferences, plus those named in the query. If none matches both,
 * price outranks hours; if none matches either, keeps all in query order. Drops venues that offer
 * only what the guest does not want. If the list is ordered by time or distance, no note claims
 * that some venue comes first.
 */
export function choose(
  candidates: FoundVenues,
  { services: { byVenue }, asked }: AskedServices,
  { date }: RequestedTime,
  { byTime = false } = {},
): PreferredVenues {
  const { venues, understood, reading } = candidates
  const { visit, parsed } = understood
  if (!isSelective(understood)) return { ...saysNothing, kept: inOrder(venues.map(() => 0)) }
  const candidateVenues = venues.map(({ venue }) => ({
    ...venue,
    services: choosable(byVenue.get(venue.id) ?? []),
  }))
  const isFixed = byTime || reading.place?.origin != null
  const { partySize } = visit
  const price = visit.price && pricePreference(visit.price, candidateVenues, { isFixed, partySize })
  const until = visit.late
  const late = until === null ? null : latePreference(candidateVenues, { date, isFixed, until })
  const { minutes } = visit
  const limit = (unmet: string, isFit: (own?: AskedService) => boolean): Preference => {
    const fits = venues.map(({ venue }) => isFit(asked.get(venue.id)))
    return { fits, order: fits.map(() => 0), isLimit: true, unmet }
  }
  const ofLength = `offers that ${forLengths(minutes)}: others are shown.`
  const length = minutes.length > 0 ? limit(ofLength, (own) => own?.minutes !== undefined) : null
  const { avoided } = parsed
  const less = `offers that without ${avoided.map(([said]) => said).join(' or ')}.`
  const others = avoided.length > 0 ? limit(less, (own) => own?.services.length !== 0) : null
  const preferences = [length, price, late].filter((one) => one !== null)
  const isNamed = venues.map(({ standing }) => standing < 0)
  const suits = (some: readonly Preference[], index: number) =>
    isNamed[index] === false &&
    others?.fits[index] !== false &&
    some.every(({ fits }) => fits[index])
  const met = [preferences, ...preferences.map((one) => [one])].find((some) =>
    venues.some((_, index) => suits(some, index)),
  )
  const [by] = met ? met.filter(({ isLimit }) => !isLimit) : preferences
  const limits = met?.filter(({ isLimit }) => isLimit) ?? []
  const order = venues.map((_, index) => by?.order[index] ?? 0)
  const missed =
    others && !others.fits.includes(true)
      ? [others]
      : preferences.filter((one) => !met?.includes(one))
  const subject = subjectOf(candidates)
  return {
    kept: inOrder(order, (index) => isNamed[index] === true || suits(limits, index)),
    price: price?.said ?? null,
    hours: late?.said ?? null,
    assumed: price?.assumed ?? null,
    unmet: isNamed.includes(false)
      ? missed.map(({ unmet }) => `${subject} ${unmet}`).join(' ') || null
      : null,
  }
}

const saysNothing = { price: null, hours: null, assumed: null, unmet: null }

const inOrder = (order: readonly number[], isKept = (_: number) => true) =>
  new Map(order.map((rank, index) => [index, rank] as const).filter(([index]) => isKept(index)))

const subjectOf = ({ venues, reading, next }: FoundVenues): string =>
  next
    ? `None of the ${venues.length} best matches`
    : `No ${reading.category ?? 'venue'}${reading.place ? ` ${reading.place.where}` : ''}`
