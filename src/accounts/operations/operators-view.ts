import { READING_LATE_MS } from '../../availability/rules/mirror.ts'
import { selectStuckBookings } from '../../bookings/store/stuck-bookings.ts'
import { countReadings } from '../../confirmation/store/connectors.ts'
import type { Services } from '../../contract/operation.ts'
import { MINUTE_MS } from '../../contract/rules/durations.ts'
import { selectTroubledEndpoints, selectTroubledVenues } from '../store/operator-lists.ts'

/** The sweep resumes bookings that are two minutes late; later ones are stuck. */
export const STUCK_MINUTES = 5

/** Reads across all accounts: call it for operators only. */
export async function readOperatorsView({ db, engine }: Pick<Services, 'db' | 'engine'>, at: Date) {
  const due = new Date(at.getTime() - READING_LATE_MS)
  const [queues, stuck, endpoints, readings, venues] = await Promise.all([
    // Null when the Temporal server does not answer.
    engine.queues().catch(() => null),
    selectStuckBookings(db, new Date(at.getTime() - STUCK_MINUTES * MINUTE_MS)),
    selectTroubledEndpoints(db),
    countReadings(db, due),
    selectTroubledVenues(db, due),
  ])
  return { queues, stuck, endpoints, readings, venues }
}
export type OperatorsView = Awaited<ReturnType<typeof readOperatorsView>>
