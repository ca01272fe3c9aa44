import { money, toMinor } from '../../base/money.ts'
import { rateOf, saysThousands } from '../rules/exchange-rates.ts'
import { spendAt } from './asked-services.ts'
import type { OfferedVenue, Preference } from './preference.ts'
import type { PriceLevel, RequestedPrice } from './price-lexicon.ts'

type PricePreference = Preference & { said: string; assumed: string | null }

/** Ranks venues by the guest's budget. `isFixed`: another order applies, such as distance. */
export function pricePreference(
  price: RequestedPrice,
  venues: readonly OfferedVenue[],
  { isFixed, partySize }: { isFixed: boolean; partySize: number | null },
): PricePreference {
  const spends = venues.map((venue) => spendOf(venue) ?? Number.POSITIVE_INFINITY)
  const guests = (price.is === 'budget' && price.isTotal && partySize) || 1
  if (price.is === 'budget') return budgetPreference(price, venues, { spends, isFixed, guests })
  const { level } = price
  return level === 'cheapest' || level === 'dearest'
    ? endPreference(level, venues, { spends, isFixed })
    : levelPreference(level, venues, { spends, isFixed })
}

type Ends = 'cheapest' | 'dearest'

/** Ranks venues by the price of the service there, whatever their price level. */
function endPreference(
  end: Ends,
  venues: readonly OfferedVenue[],
  { spends, isFixed }: { spends: readonly number[]; isFixed: boolean },
): PricePreference {
  const sign = end === 'dearest' ? -1 : 1
  return {
    ...every(venues),
    order: spends.map((spend) => (isFixed ? 0 : sign * spend)),
    said: isFixed
      ? `The ${end} was asked for, but these are in order of time or distance: compare prices.`
      : `The ${end} first, by price or else by average spend per guest.`,
    assumed: null,
  }
}

type Level = Exclude<PriceLevel, Ends>
const levels: Record<Level, readonly [from: number, to: number]> = {
  cheap: [1, 2],
  'mid-range': [2, 3],
  upscale: [3, 4],
}

function levelPreference(
  level: Level,
  venues: readonly OfferedVenue[],
  { spends, isFixed }: { spends: readonly number[]; isFixed: boolean },
): PricePreference {
  const [from, to] = levels[level]
  const fits = venues.map(({ price_level }) => price_level >= from && price_level <= to)
  const isByPrice = !isFixed && (level === 'cheap' || !fits.includes(true))
  const first = isByPrice ? `the ${level === 'upscale' ? 'dear' : 'cheap'}est first` : 'these first'
  const label = `${level.charAt(0).toUpperCase()}${level.slice(1)}`
  return {
    fits,
    order: isByPrice
      ? spends.map((spend) => (level === 'upscale' ? -spend : spend))
      : fits.map((one) => (one ? 0 : 1)),
    isLimit: false,
    said: `${label} is price level ${from} or ${to} of 4${isFixed ? '' : `, ${first}`}.`,
    assumed: null,
    unmet: `is of price level ${from} or ${to}: ${isFixed ? 'others are shown' : first}.`,
  }
}

type Budget = Extract<RequestedPrice, { is: 'budget' }>

function budgetPreference(
  budget: Budget,
  venues: readonly OfferedVenue[],
  { spends, isFixed, guests }: { spends: readonly number[]; isFixed: boolean; guests: number },
): PricePreference {
  const local = venues[0]?.currency ?? 'USD'
  const { amount, currency } = budgetIn(budget, local)
  const rated = [currency, ...venues.map((venue) => venue.currency)]
  const unrated = rated.find((code) => code !== currency && !rateOf(currency, code))
  if (unrated) return withoutRate(unrated, currency, venues)
  const limitIn = (to: string) => toMinor((amount / guests) * (rateIn(currency, to) ?? 1), to)
  const limits = new Map(venues.map((venue) => [venue.currency, limitIn(venue.currency)]))
  const rate = rateIn(currency, local)
  const price = money(toMinor(rate ?? 1, local), local)
  const converted = currency === local ? '' : `: ${currency} ${amount} at a fixed rate of ${price}`
  const limit = money(limitIn(local), local)
  const shared = guests > 1 ? `, as ${budget.said} is for all ${guests}` : ''
  return {
    fits: venues.map((venue, index) => (spends[index] ?? 0) <= (limits.get(venue.currency) ?? 0)),
    order: isFixed ? spends.map(() => 0) : spends,
    isLimit: true,
    said: `At most ${limit} per guest, by price or else by average spend${converted}${shared}.`,
    assumed: assumedOf(budget, { amount, currency }),
    unmet:
      `is within that budget (${limit} per guest): ` +
      `${isFixed ? 'more expensive ones are shown' : 'the cheapest come first'}.`,
  }
}

const rateIn = (from: string, to: string) => (from === to ? 1 : rateOf(from, to))

/** Leaves no venue out. */
const every = (venues: readonly OfferedVenue[]) =>
  ({ fits: venues.map(() => true), order: venues.map(() => 0), isLimit: false, unmet: '' }) as const

/** A budget that cannot be compared with prices: nothing is left out, and the answer says so. */
const withoutRate = (code: string, currency: string, venues: readonly OfferedVenue[]) => ({
  ...every(venues),
  said: `A budget in ${currency}, not compared with prices in ${code}.`,
  assumed: `There is no rate for ${code}: the budget in ${currency} was not used.`,
})

/** Reads `$` as the local dollar, and small rupiah amounts as thousands, as people say them. */
function budgetIn(
  { amount, currency }: Budget,
  local: string,
): { amount: number; currency: string } {
  const ofDollar = DOLLARS.includes(local) ? local : 'USD'
  const code = currency === '$' ? ofDollar : (currency ?? local)
  const isShort = currency === null && saysThousands(code) && amount < THOUSAND
  return { amount: isShort ? amount * THOUSAND : amount, currency: code }
}

const DOLLARS = ['SGD', 'AUD']
const THOUSAND = 1_000

function assumedOf(budget: Budget, { amount, currency }: { amount: number; currency: string }) {
  if (budget.currency === '$') return `$ is read as ${currency}.`
  if (amount === budget.amount) return null
  return `${budget.said} is read as ${money(toMinor(amount, currency), currency)}.`
}

/** The least that a guest spends at a venue, in minor units; undefined if unknown. */
function spendOf({ services }: OfferedVenue): number | undefined {
  const spends = services.map((one) => spendAt(one, 1)).filter((one) => one > 0)
  return spends.length > 0 ? Math.min(...spends) : undefined
}
