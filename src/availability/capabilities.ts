import { type Capability, capability, reads } from '../contract/capability.ts'
import { checkAvailability } from './operations/check-availability.ts'

/** What is free at a venue. */
export const availabilityCapabilities: readonly Capability[] = [
  capability({
    operation: checkAvailability,
    example: { slug: 'kelapa-bathhouse-ubud', party_size: 2 },
    rest: { route: 'GET /api/venues/{slug}/availability' },
    a2a: 'venue.availability',
    mcp: { tool: 'check_availability', annotations: reads },
  }),
]
