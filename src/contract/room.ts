import type { Client } from '@temporalio/client'
import type { Duration } from '@temporalio/common'
import type { Rounds } from '../base/rounds.ts'
import type { Db, Pool } from '../platform/database/sql.ts'
import type { SealedColumn } from '../platform/sealing/sealed-columns.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { Runs } from '../platform/temporal/runs.ts'
import type { Capability } from './capability.ts'
import type { ClockPart } from './clock-part.ts'
import type { OpenWork } from './open-work.ts'

/** A periodic workflow, one run at a time. */
export type Periodic = {
  workflow: string
  every: Duration
  /** a run that is stuck for any reason ends after this */
  longest: Duration
  /** how a run repeats its work until the next begins; one round if absent */
  rounds?: Rounds
  does: string
}

/** What is needed to create the client for a room's workflows. */
export type EngineParts = {
  client: Client
  runs: Runs
  /** ends all waits as if they had timed out */
  stopWaiting: AbortSignal
}

/** What is needed to create the services of a room's operations. */
export type ServiceParts = {
  db: Pool
  /** aborted when the process begins to stop */
  stopping: AbortSignal
}

/**
 * What a room contributes. `src/network.ts` lists the rooms, and the processes use only that list.
 * Parts typed `never` accept whatever the network has; the list proves that some room provides it.
 */
export type Room = {
  name: string
  /** Its operations run in real time, even for an account with a test clock. */
  inRealTime?: true
  /** The reference lists its operations after all others. */
  comesLast?: true
  /** No other room imports it. To remove it, delete its folder and its line in the list. */
  optional?: true
  capabilities?: readonly Capability[]
  /** replaces capabilities of rooms below it */
  wrap?: (capability: never) => unknown
  /** the client for its workflows */
  engine?: (parts: never) => object
  /** its operations' services in addition to `Services` */
  services?: (parts: ServiceParts) => object
  /** configuration read by its operations */
  settings?: (config: never) => object
  /** called when a booking changes */
  bookingHooks?: (parts: never) => object
  /** its part in test clocks; undefined if disabled by configuration */
  clock?: (config: never, publicUrl: string) => ClockPart | undefined
  /** rows that have a workflow while they are open */
  openWork?: OpenWork
  schedules?: readonly Periodic[]
  /** the steps of the sweep, by pass name */
  sweep?: (deps: never) => object
  /** each queue's activities, loaded only by its workers */
  activities?: Readonly<
    Partial<Record<'bookings' | 'venues' | 'webhooks', () => Promise<(deps: never) => object>>>
  >
  sealed?: readonly SealedColumn[]
  /** ends everything open in an account that is being deleted */
  endWithAccount?: (tx: Db, accountId: string, at: Date) => Promise<unknown>
  /** shows gauges, read before each scrape; returns a function that hides them */
  gauges?: (metrics: Metrics, db: Db) => () => void
}
