import type { Client } from '@temporalio/client'
import { createActivities } from '../../activities/index.ts'
import { clockParts } from '../../src/compose/clock-parts.ts'
import { createEngine } from '../../src/compose/engine.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { stepDeps } from './terms.ts'

/** The activities of the queue `bookings`, for workers that a test opens itself. */
export const testActivities = (db: Pool, client: Client) =>
  createActivities({
    webhookRetentionDays: 30,
    historyRetentionDays: 400,
    proMonthlyUsd: 49,
    clockParts,
    heldDays: 14,
    db,
    engine: createEngine(client),
    log: createLog('silent'),
    steps: stepDeps,
  })
