import { Worker } from '@temporalio/worker'
import { createSweepActivities } from '../../../activities/sweep.ts'
import { BOOKINGS_QUEUE } from '../../base/task-queues.ts'
import { publicUrlOf } from '../../config/config.ts'
import { workflowBundle } from '../../platform/temporal/workflow-bundle.ts'
import { bookingDeps } from '../booking-deps.ts'
import { openFacilitator } from '../open-facilitator.ts'
import { openPayments } from '../open-payments.ts'
import { activitiesOf, clockPartsOf, sweepSteps } from '../parts.ts'
import { termsOf } from '../terms.ts'
import { type QueueWorker, sharedOptions, type WorkerBase, workflowOptions } from './worker-base.ts'

/** Bookings, groups, the waitlist and housekeeping, with their database steps. */
export async function openBookingsWorker(base: WorkerBase): Promise<QueueWorker> {
  const { config, instruments, db, engine, log, stopping } = base
  const x402 = openFacilitator(config, db)
  const deps = {
    db,
    engine,
    log,
    stopping,
    clockParts: clockPartsOf(config),
    heldDays: config.WEBHOOK_HELD_DAYS,
    facilitator: x402?.facilitator,
    payments: await openPayments(config, { db, publicUrl: publicUrlOf(config), log }),
    steps: bookingDeps(termsOf(config), engine, log),
    webhookRetentionDays: config.WEBHOOK_RETENTION_DAYS,
    historyRetentionDays: config.HISTORY_RETENTION_DAYS,
    proMonthlyUsd: config.PRO_MONTHLY_USD,
  }
  const worker = await Worker.create({
    ...sharedOptions(base),
    ...workflowOptions(base),
    taskQueue: BOOKINGS_QUEUE,
    workflowBundle: await workflowBundle(config.DATA_DIR, instruments.tracing.on),
    activities: {
      ...(await activitiesOf('bookings', deps)),
      ...createSweepActivities(deps, sweepSteps(deps)),
    },
  })
  return { worker, close: async () => x402?.close?.() }
}
