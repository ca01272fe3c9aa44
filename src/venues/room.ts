import { capability, reads } from '../contract/capability.ts'
import type { Room, ServiceParts } from '../contract/room.ts'
import { getVenue } from './operations/get-venue.ts'
import { listVenues } from './operations/list-venues.ts'
import { searchVenues } from './operations/search-venues.ts'
import { cachedLexicon, type LexiconServices } from './search/lexicon.ts'

const query = { query: 'sushi in Canggu' }
const filters = { category: 'spa' as const, area: 'ubud' }
const bySlug = { slug: 'kelapa-bathhouse-ubud' }

const capabilities = [
  capability(searchVenues, 'GET /api/venues/search', 'booking.search', query, {
    rename: { q: 'query' },
    mcp: { ...reads('search_venues'), keyless: true },
  }),
  capability(listVenues, 'GET /api/venues', 'venue.list', filters, {
    tier: 'open',
    mcp: { ...reads('list_venues'), keyless: true },
  }),
  capability(getVenue, 'GET /api/venues/{slug}', 'venue.get', bySlug, {
    tier: 'open',
    mcp: { ...reads('get_venue'), keyless: true },
  }),
]

const LEXICON_TTL_MS = 60_000

/** Searching, listing and reading venues. */
export const venues = {
  name: 'venues',
  capabilities,
  services: ({ db }: ServiceParts): LexiconServices => ({
    lexicon: cachedLexicon(db, LEXICON_TTL_MS),
  }),
} as const satisfies Room
