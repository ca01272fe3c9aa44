import { setTimeout } from 'node:timers/promises'
import type { BookingContext } from '../../bookings/engine.ts'
import type { BookingStart } from '../../bookings/rules/booking-messages.ts'
import type { Services } from '../../contract/operation.ts'
import { selectEffect } from '../store/venue-responses.ts'

const LOOKS = 30
const PAUSE_MS = 100

/**
 * Announces the stored answer of a person at a venue to its booking, and waits up to 3 s for its
 * effect. If the booking engine is down, the sweep announces it later: `undelivered` says why.
 */
export async function announceAnswer(
  { db, engine }: Pick<BookingContext, 'db' | 'engine'>,
  start: BookingStart,
  answerId: string,
): Promise<{ undelivered?: unknown }> {
  try {
    await engine.venueResponded(start, answerId)
  } catch (undelivered) {
    return { undelivered }
  }
  await untilResolved(db, start.bookingId, answerId)
  return {}
}

async function untilResolved(db: Services['db'], bookingId: string, id: string) {
  for (let look = 0; look < LOOKS; look += 1) {
    if ((await selectEffect(db, bookingId, id)) !== null) return
    await setTimeout(PAUSE_MS)
  }
}
