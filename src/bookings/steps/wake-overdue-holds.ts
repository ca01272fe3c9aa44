import type { Engine } from '../../contract/define.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { loggable } from '../../platform/telemetry/loggable.ts'
import type { BookingStart, Decision } from '../rules/booking-messages.ts'
import { selectOverdueHoldsOf } from '../store/booking-starts.ts'

/**
 * Whoever was refused because of a hold that should have ended sees to it that it ends: the workflows of such holds are told to look,
 * started anew where they were lost. Best effort: the sweep does the same later.
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
