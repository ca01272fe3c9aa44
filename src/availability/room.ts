import { capability, reads } from '../contract/capability.ts'
import type { Room } from '../contract/room.ts'
import { checkAvailability } from './operations/check-availability.ts'

const capabilities = [
  capability(
    checkAvailability,
    'GET /api/venues/{slug}/availability',
    'venue.availability',
    { slug: 'kelapa-bathhouse-ubud', party_size: 2 },
    { mcp: { ...reads('check_availability'), keyless: true } },
  ),
]

/** Which times are free. */
export const availability = {
  name: 'availability',
  capabilities,
} as const satisfies Room
