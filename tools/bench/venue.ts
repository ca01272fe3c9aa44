import { randomUUID } from 'node:crypto'
import { DAY_MS } from '../../src/base/durations.ts'
import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import { insertVenues, type NewService, type NewVenue } from '../../src/venues/store/new-venues.ts'

const TABLES = 20
const days = [1, 2, 3, 4, 5, 6, 7]

/** Adds a restaurant of ordinary size with more slots than any bench can fill. */
export async function addBenchVenue(db: Pool) {
  const id = randomUUID()
  const at = new Date()
  const { rows } = await db.query(
    "select slug, timezone from area where country = 'ID' order by slug limit 1",
  )
  const area = rows[0]
  const table = (n: number) => ({
    id: randomUUID(),
    kind: 'table',
    name: `Table ${n}`,
    party_min: 1,
    party_max: 4,
  })
  const service: NewService = {
    id: randomUUID(),
    name: 'Table',
    strategy: 'exclusive',
    rules: {
      windows: days.map((day) => ({ day, open: '08:00', close: '22:00' })),
      grid_minutes: 60,
      durations: [{ party_max: 4, minutes: 60 }],
      buffer_minutes: 0,
      party_min: 1,
      party_max: 4,
      lead_minutes: 0,
      horizon_days: 365,
      cancel_cutoff_minutes: 60,
      spend_per_guest_minor: 25_000_000,
      requires: [{ kind: 'table', per: 'party' }],
      places: 0,
    },
    resources: Array.from({ length: TABLES }, (_, n) => table(n + 1)),
  }
  const venue: NewVenue = {
    id,
    slug: `bench-${id}`,
    name: 'Bench',
    category: 'restaurant',
    area_slug: area.slug,
    description: 'The venue that benches book.',
    tags: [],
    price_level: 2,
    latitude: 0,
    longitude: 0,
    confirm_mode: 'auto',
    is_demo: true,
    services: [service],
  }
  await transaction(db, (tx) => insertVenues(tx, [venue], at))
  return { id }
}

/** The nth booking request: half the tables of each slot in turn, from the day after tomorrow. */
export function bookingNumber(venueId: string, n: number) {
  const slot = Math.floor(n / (TABLES / 2))
  const date = new Date(Date.now() + (2 + Math.floor(slot / 14)) * DAY_MS)
  const hour = String(8 + (slot % 14)).padStart(2, '0')
  const slot_time = `${date.toISOString().slice(0, 10)}T${hour}:00:00`
  return { venue_id: venueId, slot_time, party_size: 2, guest_ref: `guest ${n}` }
}
