import type { Pool } from '../../platform/database/sql.ts'
import {
  deleteChallenges,
  deleteEndpoints,
  deleteReplays,
  deleteSettledDeliveries,
  noteErasure,
} from '../store/delivery-erasure.ts'

const DAY_MS = 86_400_000
/** Rows of one statement: none of them holds a lock for long. */
const STEP = 1_000

/** What one step erased; `hasMore` while another one would find something. */
export type ErasedStep = {
  deliveries: number
  challenges: number
  replays: number
  endpoints: number
  hasMore: boolean
}

/** Erases one step of what was settled longer ago than `days`, what belongs to it, and what nothing refers to any more. Events stay. */
export async function eraseDeliveries(db: Pool, days: number, at: Date): Promise<ErasedStep> {
  const before = new Date(at.getTime() - days * DAY_MS)
  await noteErasure(db, before)
  const deliveries = await deleteSettledDeliveries(db, before, STEP)
  const challenges = await deleteChallenges(db, before, STEP)
  const replays = await deleteReplays(db, before, STEP)
  const endpoints = await deleteEndpoints(db, before, STEP)
  const counts = { deliveries, challenges, replays, endpoints }
  return { ...counts, hasMore: Object.values(counts).some((count) => count === STEP) }
}
