import { z } from 'zod'
import { named } from './named.ts'
import { shownFields } from './venue-fields.ts'

const { category } = shownFields

/** How search interpreted a query: the words used, the words dropped, and how it was widened. */
export const interpretation = named('Interpretation', {
  category: category.nullable(),
  other_categories: z
    .array(category)
    .describe('Further kinds that the query names; without a `category`, either of them will do'),
  area: z
    .string()
    .nullable()
    .describe(
      'Area, city, island or country that is asked for; `widened` says if others are shown',
    ),
  near: z.string().nullable().describe('Landmark; the nearest venues come first'),
  text: z.string().describe('Words searched for in names, descriptions and tags'),
  party_size: z.int().nullable().describe('Slots are for this party'),
  date: z.string().nullable().describe('Slots are on or after this local date: YYYY-MM-DD'),
  time: z.string().nullable().describe('Slots are at or after this local time of that date: HH:MM'),
  facts: z
    .array(z.string())
    .describe('Facts that a venue must have or, with `no_`, must not have; see also `hint`'),
  price: z.string().nullable().describe('How a price or budget was read'),
  hours: z.string().nullable().describe('The closing time that "open late" was read as'),
  excluded: z
    .array(z.string())
    .describe('What is not wanted, in the query’s words: nothing shown is known for it'),
  notes: z
    .string()
    .nullable()
    .describe('Allergies and wishes that search cannot check: book with these `notes`'),
  dropped: z.array(z.string()).describe('Words that were not used'),
  corrections: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .describe('Misspelled words and how they were read'),
  widened: z
    .string()
    .nullable()
    .describe('How the search was widened because nothing matched exactly'),
  assumed: z.string().nullable().describe('How an ambiguous day, time or amount was read'),
  not_covered: z
    .object({
      place: z.string().nullable().describe('Place that the network does not cover'),
      kinds: z.array(z.string()).describe('Kinds that it does not offer, in the query’s words'),
      nearest: z
        .object({
          area: z.string(),
          city: z.string(),
          country: z.string(),
          distance_km: z.int(),
        })
        .nullable()
        .describe('Covered area that is nearest to the place'),
      covered: z.object({ areas: z.array(z.string()), kinds: z.array(category) }),
    })
    .nullable()
    .describe('The part of the query that this network does not cover'),
  hint: z.string().nullable().describe('What to try next'),
})
export type Interpretation = z.infer<typeof interpretation>
