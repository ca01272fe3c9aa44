import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { categories } from '../../../src/contract/rules/venue-kinds.ts'

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
] as const

const oneOrMore = <T extends z.ZodType>(value: T) => z.union([value, z.array(value).min(2)])
const texts = z.array(z.string().min(1)).min(1)

/** Conditions on a venue: all given must hold, each list by one entry (`text` by all words). */
const venueTest = z.strictObject({
  category: z.enum(categories).optional(),
  areas: texts.optional(),
  cities: texts.optional(),
  countries: texts.optional(),
  any_tag: texts.optional(),
  text: texts.optional(),
  slugs: texts.optional(),
})
export type VenueTest = z.infer<typeof venueTest>

const day = z.string().regex(/^(today(\+\d+)?|[a-z]+day|\d{4}-\d\d-\d\d)$/)
const time = z.string().regex(/^\d\d:\d\d$/)

/** A list has alternatives that are equally right; null means that nothing may be understood. */
const facets = z.strictObject({
  category: oneOrMore(z.enum(categories).nullable()).optional(),
  /** the place: an area, a city or island, or a country by name */
  area: oneOrMore(z.string().nullable()).optional(),
  party_size: oneOrMore(z.int().nullable()).optional(),
  /** `today`, `today+2`, `friday` (the first after today) or a date */
  date: oneOrMore(day.nullable()).optional(),
  time: oneOrMore(time.nullable()).optional(),
  /** whether the answer must say that the search was widened */
  widened: z.boolean().optional(),
})
export type Facets = z.infer<typeof facets>

const goldenQuery = z.strictObject({
  q: z.string().min(1).max(200),
  kind: z.enum(kinds),
  expect: facets,
  /** what is right as the first result; null: nothing should be found */
  first: venueTest.nullable(),
  /** what is fair further down, but not first */
  also: venueTest.optional(),
})
export type GoldenQuery = z.infer<typeof goldenQuery>

/** The golden queries of a file with one JSON object per line. */
export function readQueries(path: string): GoldenQuery[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => goldenQuery.parse(JSON.parse(line)))
}
