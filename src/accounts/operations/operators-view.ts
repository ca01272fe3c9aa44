import { READING_LATE_MS } from '../../availability/rules/mirror.ts'
import { type StuckBooking, selectStuckBookings } from '../../bookings/store/stuck-bookings.ts'
import { countReadings, type ReadingState } from '../../confirmation/store/connectors.ts'
import type { Services } from '../../contract/operation.ts'
import type { QueueStats } from '../../platform/temporal/queues.ts'
import {
  selectTroubledEndpoints,
  selectTroubledVenues,
  type TroubledEndpoint,
  type TroubledVenue,
} from '../store/operator-lists.ts'

/** The sweep resumes bookings that are two minutes late; later ones are stuck. */
export const STUCK_MINUTES = 5

/** The operators' page. `queues` is null when the Temporal server does not answer. */
export type OperatorsView = {
  queues: QueueStats[] | null
  stuck: StuckBooking[]
  endpoints: TroubledEndpoint[]
  readings: ReadonlyMap<ReadingState, number>
  venues: TroubledVenue[]
}

/** Reads across all accounts: call it for operators only. */
export async function readOperatorsView(
  { db, engine }: Pick<Services, 'db' | 'engine'>,
  at: Date,
): Promise<OperatorsView> {
  const due = new Date(at.getTime() - READING_LATE_MS)
  const [queues, stuck, endpoints, readings, venues] = await Promise.all([
    engine.queues().catch(() => null),
    selectStuckBookings(db, new Date(at.getTime() - STUCK_MINUTES * 60_000)),
    selectTroubledEndpoints(db),
    countReadings(db, due),
    selectTroubledVenues(db, due),
  ])
  return { queues, stuck, endpoints, readings, venues }
}
