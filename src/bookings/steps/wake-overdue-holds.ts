import type { Engine } from '../../contract/operation.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import type { BookingStart, Decision } from '../rules/booking-messages.ts'
import { selectOverdueHoldsOf } from '../store/booking-starts.ts'

/**
 * After a refusal because of an overdue hold: wakes the workflows of such holds, which then end
 * them. Best effort; the sweep does it later.
 */
export async function wakeOverdueHolds(
  { db, engine, log }: { db: Pool; engine: Engine; log: Log },
  { venueId }: BookingStart,
  { answer }: Decision,
  at: Date,
): Promise<void> {
  if (!answer || !('refusal' in answer) || answer.refusal.code !== 'slot_held') return
  try {
    const overdue = await selectOverdueHoldsOf(db, venueId, at)
    await Promise.all(overdue.map((start) => engine.announceCommands(start)))
  } catch (error) {
    log.warn({ venue_id: venueId, error: loggable(error) }, 'could not wake overdue holds')
  }
}
