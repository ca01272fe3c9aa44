import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { categories } from '../../../src/base/venue-kinds.ts'
import { attributes } from './attributes.ts'

const kinds = [
  'facet',
  'alias',
  'indonesian',
  'typo',
  'sentence',
  'name',
  'landmark',
  'widened',
  'text',
  'mixed',
  'nonsense',
  'price',
  'manner',
  'time',
  'party',
  'several',
  'uncovered',
  'unoffered',
  'date',
  'negation',
  'either',
  'anchor',
  'near',
  'service',
  'diet',
  'pasted',
  'asks',
] as const

const oneOrMore = <T extends z.ZodType>(value: T) => z.union([value, z.array(value).min(2)])
const texts = z.array(z.string().min(1)).min(1)

const priceLevel = z.int().min(1).max(4)

/**
 * Conditions on a venue: all given must hold, each list by one entry (but `text`, `suits` by all).
 */
const venueTest = z.strictObject({
  category: z.enum(categories).optional(),
  categories: z.array(z.enum(categories)).min(2).optional(),
  areas: texts.optional(),
  cities: texts.optional(),
  countries: texts.optional(),
  any_tag: texts.optional(),
  text: texts.optional(),
  slugs: texts.optional(),
  min_price: priceLevel.optional(),
  max_price: priceLevel.optional(),
  /** maximum average spend of a guest, in whole units of the local currency */
  max_spend: z.int().positive().optional(),
  /** what suits the occasion; what no venue offers can be missing if the answer admits it */
  suits: z.array(z.enum(attributes)).min(1).optional(),
})
export type VenueTest = z.infer<typeof venueTest>

const day = z.string().regex(/^(today(\+\d+)?|[a-z]+day|\d{4}-\d\d-\d\d)$/)
const time = z.string().regex(/^\d\d:\d\d$/)

/** The alternatives in a list are equally right; null means that search must not understand any. */
const facets = z.strictObject({
  category: oneOrMore(z.enum(categories).nullable()).optional(),
  /** all kinds in a query that names several, in any order */
  categories: z.array(z.enum(categories)).min(2).optional(),
  /** the place: an area, a city or island, or a country by name */
  area: oneOrMore(z.string().nullable()).optional(),
  party_size: oneOrMore(z.int().nullable()).optional(),
  /** `today`, `today+2`, `friday` (the first after today) or a date */
  date: oneOrMore(day.nullable()).optional(),
  time: oneOrMore(time.nullable()).optional(),
  /** the first and last day that slots may be on */
  days: z.strictObject({ from: day, to: day }).optional(),
  /** the first and last time that slots may be at */
  times: z.strictObject({ from: time.optional(), to: time.optional() }).optional(),
  /** words that the answer must report as excluded; `a|b` is either */
  excluded: texts.optional(),
  /** words that the answer must pass on as notes for the venue; `a|b` is either */
  notes: texts.optional(),
  /** whether the answer must say that the search was widened */
  widened: z.boolean().optional(),
  /** whether the answer must say how it interpreted a price or budget */
  price: z.boolean().optional(),
  /** whether the answer must say how it interpreted something ambiguous */
  assumed: z.boolean().optional(),
})
export type Facets = z.infer<typeof facets>

const goldenQuery = z.strictObject({
  q: z.string().min(1).max(500),
  kind: z.enum(kinds),
  expect: facets,
  /** what is right as the first result, by one of several tests; null: nothing should be found */
  first: oneOrMore(venueTest).nullable(),
  /** what is acceptable further down, but not first */
  also: venueTest.optional(),
  /** what was ruled out: no venue may pass, unless `hint` says that it could not be excluded */
  never: venueTest.optional(),
  /** the fields that the answer must ask for instead of showing slots, as nobody can know them */
  asks: z
    .array(z.enum(['date', 'time', 'party_size', 'near']))
    .min(1)
    .optional(),
  /** the place or kind is not in the network: the answer must say so, and say what is */
  covered: z.literal(false).optional(),
  /** areas or cities, one of which must be named as the nearest to a place that is not covered */
  nearest: texts.optional(),
  /** words that the first result must match, or the answer admit to ignoring; `a|b` is either */
  admits: texts.optional(),
  /** what no venue is known to offer, as settled: who is known to lack it is still no answer */
  missing: z.array(z.enum(attributes)).optional(),
  /** words that the answer must not contain */
  unsaid: texts.optional(),
  /** the area from which distances count if the answer promises the nearest first */
  nearest_to: z.string().optional(),
  /** for the reader: the reason for these expectations */
  why: z.string().optional(),
})
export type GoldenQuery = z.infer<typeof goldenQuery>

/** The golden queries in a file with one JSON object per line. */
export function readQueries(path: string): GoldenQuery[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => goldenQuery.parse(JSON.parse(line)))
}
