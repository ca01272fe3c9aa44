import { insertAreas } from '../../availability/store/areas.ts'
import type { Db } from '../../platform/database/sql.ts'
import { insertVenues, type NewVenue } from '../../venues/store/new-venues.ts'
import { sandboxArea, type TestVenue, testVenues } from '../rules/test-venues.ts'

/** Adds missing test venues and their area. */
export async function insertTestVenues(tx: Db, at: Date): Promise<void> {
  await insertAreas(tx, [sandboxArea])
  await insertVenues(tx, testVenues.map(newVenue), at, true)
}

const newVenue = ({ mode, outcome: _, rules, ...venue }: TestVenue): NewVenue => ({
  ...venue,
  area_slug: sandboxArea.slug,
  tags: ['sandbox'],
  price_level: 2,
  latitude: sandboxArea.latitude,
  longitude: sandboxArea.longitude,
  confirm_mode: mode,
  is_demo: false,
  services: [{ id: serviceId(venue.id), name: 'Places', strategy: 'pooled', rules }],
})

/** An id that is the same in every network, and as stable as its venue. */
const serviceId = (venueId: string) => venueId.replace('-8000-', '-9000-')
