import type { Client } from '@temporalio/client'
import type { NativeConnection, Worker } from '@temporalio/worker'
import type { RunConfig } from '../../config/config.ts'
import type { NetworkEngine } from '../../network.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { watchActivities } from '../../platform/telemetry/activity-watch.ts'
import type { Instruments } from '../../platform/telemetry/instruments.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { dataConverter } from '../../platform/temporal/data-converter.ts'
import { giveUpOnDataErrors } from '../../platform/temporal/data-errors.ts'
import { shutdownGrace } from '../../platform/temporal/workers.ts'

/** Shared by the workers of a process. */
export type WorkerBase = {
  config: RunConfig
  log: Log
  instruments: Instruments
  client: Client
  connection: NativeConnection
  engine: NetworkEngine
  db: Pool
  sealer: Sealer
  /** aborts when the workers begin to stop */
  stopping: AbortSignal
}

/** A queue's worker, and the resource to close once all workers have stopped. */
export type QueueWorker = { worker: Worker; close?(): Promise<void> }

/** Minimum pause between heartbeats; workflows count one as missed after 10 s. */
export const BEAT = '2s'

/** Options for every worker. */
export const sharedOptions = ({ config, log, instruments, connection }: WorkerBase) => ({
  connection,
  namespace: config.TEMPORAL_NAMESPACE,
  dataConverter,
  sinks: instruments.tracing.worker.sinks,
  ...shutdownGrace,
  ...versionOf(config),
  interceptors: {
    activity: [
      ...instruments.tracing.worker.activity,
      giveUpOnDataErrors,
      watchActivities(log, instruments.metrics),
    ],
  },
})

/**
 * Options for Worker Versioning, if this release has a build id. Workflows move to the current
 * version with their next task.
 */
const versionOf = (config: RunConfig) =>
  config.TEMPORAL_WORKER_BUILD_ID && {
    workerDeploymentOptions: {
      version: {
        deploymentName: config.TEMPORAL_DEPLOYMENT_NAME,
        buildId: config.TEMPORAL_WORKER_BUILD_ID,
      },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    } as const,
  }

/** Options for a worker that runs workflows. */
export const workflowOptions = ({ config }: WorkerBase) => ({
  maxCachedWorkflows: config.WORKFLOW_CACHE,
  stickyQueueScheduleToStartTimeout: config.WORKFLOW_STICKY_SECONDS * 1000,
  maxConcurrentWorkflowTaskExecutions: config.WORKFLOW_SLOTS,
  maxConcurrentWorkflowTaskPolls: config.WORKFLOW_POLLERS,
})
