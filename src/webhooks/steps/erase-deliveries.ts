import { DAY_MS } from '../../contract/rules/durations.ts'
import type { Pool } from '../../platform/database/sql.ts'
import {
  deleteChallenges,
  deleteEndpoints,
  deleteReplays,
  deleteSettledDeliveries,
  recordErasure,
} from '../store/delivery-erasure.ts'

/** Rows per statement, so that none holds locks for long. */
const STEP = 1_000

/** What one step erased. `hasMore`: another step may find more. */
export type ErasedStep = {
  deliveries: number
  challenges: number
  replays: number
  endpoints: number
  hasMore: boolean
}

/**
 * Erases deliveries that were settled more than `days` ago and what only they referred to. Events
 * stay.
 */
export async function eraseDeliveries(db: Pool, days: number, at: Date): Promise<ErasedStep> {
  const before = new Date(at.getTime() - days * DAY_MS)
  await recordErasure(db, before)
  const deliveries = await deleteSettledDeliveries(db, before, STEP)
  const challenges = await deleteChallenges(db, before, STEP)
  const replays = await deleteReplays(db, before, STEP)
  const endpoints = await deleteEndpoints(db, before, STEP)
  const counts = { deliveries, challenges, replays, endpoints }
  return { ...counts, hasMore: Object.values(counts).some((count) => count === STEP) }
}
