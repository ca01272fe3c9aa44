import { type Capability, capability, reads } from '../contract/capability.ts'
import { getVenue } from './operations/get-venue.ts'
import { listVenues } from './operations/list-venues.ts'
import { searchVenues } from './operations/search-venues.ts'

/** Searching, listing and reading venues. */
export const venueCapabilities: readonly Capability[] = [
  capability({
    operation: searchVenues,
    example: { query: 'sushi in Canggu' },
    rest: { route: 'GET /api/venues/search', rename: { q: 'query' } },
    a2a: 'booking.search',
    mcp: { tool: 'search_venues', annotations: reads },
  }),
  capability({
    operation: listVenues,
    example: { category: 'spa', area: 'ubud' },
    rest: { route: 'GET /api/venues', tier: 'open' },
    a2a: 'venue.list',
    mcp: { tool: 'list_venues', annotations: reads },
  }),
  capability({
    operation: getVenue,
    example: { slug: 'kelapa-bathhouse-ubud' },
    rest: { route: 'GET /api/venues/{slug}', tier: 'open' },
    a2a: 'venue.get',
    mcp: { tool: 'get_venue', annotations: reads },
  }),
]
