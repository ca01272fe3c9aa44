import type { Client } from '@temporalio/client'
import { createSweepActivities } from '../../activities/sweep.ts'
import { createEngine } from '../../src/compose/engine.ts'
import { activitiesOf, clockPartsOf, sweepSteps } from '../../src/compose/parts.ts'
import { readRunConfig } from '../../src/config/config.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { stepDeps } from './terms.ts'

/** Everything that depends on an account's clock, in a network that collects no payments. */
export const clockParts = clockPartsOf(
  readRunConfig({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://unused',
    TEMPORAL_ADDRESS: 'unused:1',
  }),
)

/** The activities on the queue `bookings`, for workers that a test opens itself. */
export async function testActivities(db: Pool, client: Client) {
  const deps = {
    webhookRetentionDays: 30,
    historyRetentionDays: 400,
    proMonthlyUsd: 49,
    clockParts,
    heldDays: 14,
    db,
    engine: createEngine(client),
    log: createLog('silent'),
    steps: stepDeps,
    facilitator: undefined,
  }
  return {
    ...(await activitiesOf('bookings', deps)),
    ...createSweepActivities(deps, sweepSteps(deps)),
  }
}
