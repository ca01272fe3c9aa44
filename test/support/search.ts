import type { neededFactNames } from '../../src/base/venue-facts.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { searchVenuesInFull } from '../../src/venues/operations/search-venues.ts'
import { loadLexicon } from '../../src/venues/search/lexicon.ts'

/** Saturday, 18:00 in Bali. */
const SATURDAY_EVENING = new Date('2026-11-21T10:00:00Z')

export type Search = Awaited<ReturnType<typeof openSearch>>

type SearchOptions = {
  limit?: number
  cursor?: string
  near?: string
  radius_km?: number
  party_size?: number
  date?: string
  time?: string
  service?: string
  minutes?: number
  facts?: (typeof neededFactNames)[number][]
  at?: Date
  charge?: (calls: number) => void
}

/** The search operation on a database, without doors; `at` is the time of the request. */
export async function openSearch(db: Pool) {
  const lexicon = await loadLexicon(db)
  return (query: string, options: SearchOptions = {}) => {
    const { at = SATURDAY_EVENING, charge, ...page } = options
    const context = { db, at, charge, lexicon: async () => lexicon, settings: { feePct: 2.5 } }
    return searchVenuesInFull.run(context as any, { query, limit: 50, ...page })
  }
}
