import { type Capability, capability, reads } from '../contract/capability.ts'
import { checkAvailability } from './operations/check-availability.ts'

export const availabilityCapabilities: readonly Capability[] = [
  capability(
    checkAvailability,
    'GET /api/venues/{slug}/availability',
    'venue.availability',
    { slug: 'kelapa-bathhouse-ubud', party_size: 2 },
    { mcp: reads('check_availability') },
  ),
]
