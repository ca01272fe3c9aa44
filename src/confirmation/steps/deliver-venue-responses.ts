import type { Engine } from '../../contract/operation.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { selectUnappliedStarts } from '../store/booking-starts.ts'

/** A response reaches its booking at once; one that has not within 15 s has lost its messenger. */
const UNDELIVERED_AFTER_MS = 15_000
const PAGE = 200

/** Tells bookings of responses of their venues that nobody has applied yet; answers which. */
export async function deliverVenueResponses(db: Pool, engine: Engine, at: Date): Promise<string[]> {
  const receivedBefore = new Date(at.getTime() - UNDELIVERED_AFTER_MS)
  const unapplied = await selectUnappliedStarts(db, receivedBefore, PAGE)
  await Promise.all(unapplied.map((start) => engine.venueResponded(start)))
  return unapplied.map(({ bookingId }) => bookingId)
}
