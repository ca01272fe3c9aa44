import { z } from 'zod'
import { plainText } from '../../../src/base/plain-text.ts'
import type { VenueFacts } from '../../../src/base/venue-facts.ts'
import { categories } from '../../../src/base/venue-kinds.ts'
import { lacks, suits } from './attributes.ts'
import type { GoldenQuery, VenueTest } from './queries.ts'

/** The fields of a venue that decide whether it is a right answer. */
export type JudgedVenue = {
  slug: string
  name: string
  category: string
  area: string
  city: string
  country: string
  description: string
  tags: readonly string[]
  facts?: VenueFacts | undefined
  price_level: number
  /** a guest's average spend, in whole units of the local currency */
  spend: number
  /** minutes after midnight at which its longest day ends */
  closes: number
  latitude: number
  longitude: number
}

/** A venue in an answer: its next local slot times, and why they are not the requested ones. */
export type AnsweredVenue = JudgedVenue & { slots: readonly string[]; note: string | null }

/** How search interpreted the query; a missing field counts as not understood. */
export const understood = z.object({
  category: z.enum(categories).nullable(),
  other_categories: z.array(z.enum(categories)).optional(),
  area: z.string().nullable(),
  near: z.string().nullish(),
  party_size: z.int().nullish(),
  date: z.string().nullish(),
  time: z.string().nullish(),
  price: z.string().nullish(),
  hours: z.string().nullish(),
  excluded: z.array(z.string()).optional(),
  notes: z.string().nullish(),
  dropped: z.array(z.string()).optional(),
  corrections: z.array(z.object({ from: z.string(), to: z.string() })).optional(),
  widened: z.string().nullable(),
  assumed: z.string().nullish(),
  not_covered: z
    .object({
      place: z.string().nullable(),
      kinds: z.array(z.string()),
      nearest: z.object({ area: z.string(), city: z.string() }).nullable(),
      covered: z.object({ areas: z.array(z.string()), kinds: z.array(z.string()) }),
    })
    .nullish(),
  hint: z.string().nullish(),
})
export type Understood = z.infer<typeof understood>

export type Answered = {
  query: GoldenQuery
  venues: readonly AnsweredVenue[]
  interpretation: Understood
}

/** 2: right as the first result; 1: acceptable further down; 0: neither. */
export type Grade = 0 | 1 | 2

export function gradeOf(query: GoldenQuery, venue: JudgedVenue): Grade {
  const { first, also, never, missing = [] } = query
  const tests = testsOf(first)
  if (never && meets(venue, never)) return 0
  if (missing.some((one) => lacks(venue, one))) return 0
  if (tests.some((test) => meets(venue, test))) return 2
  if (tests.some(({ suits = [] }) => suits.some((one) => lacks(venue, one)))) return 0
  return also && meets(venue, also) ? 1 : 0
}

/** The tests: a venue that passes one of them is right as the first result. */
export const testsOf = (first: GoldenQuery['first']): readonly VenueTest[] =>
  first === null ? [] : [first].flat()

export function meets(venue: JudgedVenue, test: VenueTest): boolean {
  const { category, areas, cities, countries, any_tag, text, slugs } = test
  const { min_price = 0, max_price = 4, max_spend = Number.POSITIVE_INFINITY } = test
  const words = plainText(`${venue.name} ${venue.description} ${venue.tags.join(' ')}`)
  return (
    (category === undefined || category === venue.category) &&
    (areas === undefined || areas.includes(venue.area)) &&
    (cities === undefined || cities.includes(venue.city)) &&
    (countries === undefined || countries.includes(venue.country)) &&
    (any_tag === undefined || any_tag.some((tag) => venue.tags.includes(tag))) &&
    (text === undefined || text.every((word) => words.includes(plainText(word)))) &&
    (slugs === undefined || slugs.includes(venue.slug)) &&
    (test.categories === undefined || test.categories.some((one) => one === venue.category)) &&
    venue.price_level >= min_price &&
    venue.price_level <= max_price &&
    venue.spend <= max_spend &&
    (test.suits ?? []).every((attribute) => suits(venue, attribute))
  )
}

/** Whether the first result is right or, if nothing should be found, nothing was. */
export function isHit({ query, venues }: Answered): boolean {
  const [first] = venues
  if (query.first === null) return first === undefined
  return first !== undefined && gradeOf(query, first) === 2
}
