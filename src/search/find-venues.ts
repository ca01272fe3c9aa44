import { z } from 'zod'
import { decodeCursor, encodeCursor, slugInCursor } from '../schema/cursor.ts'
import type { Interpretation } from '../schema/public.ts'
import { createMemory } from '../store/memory.ts'
import type { Db } from '../store/sql.ts'
import { type RankedVenue, selectVenues, type VenueRow } from '../store/venues.ts'
import type { Lexicon } from './lexicon.ts'
import { parseQuery } from './parse-query.ts'
import { type Reading, readings } from './readings.ts'

/** Where a page ended: which reading of the query it answered, and its last venue. */
const position = z.strictObject({ reading: z.int().min(0), rank: z.number(), slug: slugInCursor })

/** A page of what was found, and how the query was understood. */
export type FoundVenues = {
  venues: VenueRow[]
  interpretation: Interpretation
  next_cursor: string | null
}

type Asked = { query: string; limit: number; cursor: string | undefined }

const RECENT_MS = 2_000
const MOST_PAGES = 2_000
const recent = createMemory<FoundVenues>(RECENT_MS, MOST_PAGES)

/**
 * The venues that a free text asks for, best first: the first reading of it that matches any venue, from the exact one to
 * wider ones. What was found is kept for two seconds; what is free there is not. Throws `invalid_cursor`.
 */
export async function findVenues(db: Db, lexicon: Lexicon, asked: Asked): Promise<FoundVenues> {
  const key = JSON.stringify(asked)
  const known = recent.get(db, key)
  if (known) return known
  const found = await findNow(db, lexicon, asked)
  recent.set(db, key, found)
  return found
}

async function findNow(db: Db, lexicon: Lexicon, asked: Asked): Promise<FoundVenues> {
  const { query, limit, cursor } = asked
  const after = cursor === undefined ? null : decodeCursor(position, cursor)
  const parsed = parseQuery(query, lexicon)
  let number = 0
  for await (const reading of readings(db, parsed, lexicon)) {
    if (number >= (after?.reading ?? 0)) {
      const found = await selectVenues(db, { ...filterOf(reading), after, limit: limit + 1 })
      if (found.length > 0 || after) return page(reading, number, found, limit)
    }
    number += 1
  }
  const { category, place, words, dropped } = parsed
  const nothing = { category, place, words: [], match: 'all', widened: null } as const
  return page({ ...nothing, dropped: [...dropped, ...words] }, 0, [], limit)
}

function page(reading: Reading, number: number, found: RankedVenue[], limit: number): FoundVenues {
  const { category, place, words, dropped, widened } = reading
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  return {
    venues: shown.map(({ venue }) => venue),
    interpretation: {
      category,
      area: place?.name ?? null,
      text: words.join(' '),
      dropped: [...dropped],
      widened,
    },
    next_cursor: last
      ? encodeCursor({ reading: number, rank: last.rank, slug: last.venue.slug })
      : null,
  }
}

const filterOf = ({ category, place, words, match }: Reading) => ({
  category,
  areas: place?.areas ?? null,
  words,
  match,
})
