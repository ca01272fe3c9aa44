import type { BookingEngine } from '../src/engine/booking-engine.ts'
import type { BookingStart, Decision } from '../src/model/booking-messages.ts'
import { selectOverdueHoldsOf } from '../src/store/booking-starts.ts'
import type { Pool } from '../src/store/sql.ts'
import type { Log } from '../src/telemetry/log.ts'
import { loggable } from '../src/telemetry/loggable.ts'

/**
 * Whoever was refused because of a hold that should have ended sees to it that it ends: the workflows of such holds are told to look,
 * started anew where they were lost. Best effort: the sweep does the same later.
 */
export async function wakeOverdueHolds(
  { db, engine, log }: { db: Pool; engine: BookingEngine; log: Log },
  { venueId }: BookingStart,
  { answer }: Decision,
  at: Date,
): Promise<void> {
  if (!answer || !('refusal' in answer) || answer.refusal.code !== 'slot_held') return
  try {
    const overdue = await selectOverdueHoldsOf(db, venueId, at)
    await Promise.all(overdue.map((start) => engine.tellCommands(start)))
  } catch (error) {
    log.warn({ venue_id: venueId, error: loggable(error) }, 'could not wake overdue holds')
  }
}
