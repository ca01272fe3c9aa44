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
  /** a run that hangs for any reason ends after this */
  longest: Duration
  /** a run's work until the next begins; without it, one round */
  rounds?: Rounds
  /** whether its work can be divided into shards */
  divides?: true
  does: string
}

/** The parts from which the client of a room's workflows is made. */
export type EngineParts = {
  client: Client
  runs: Runs
  /** ends all waits as if time was up */
  stopWaiting: AbortSignal
}

/** The parts from which the services of a room's operations are made. */
export type ServiceParts = {
  db: Pool
  /** aborted when the process begins to stop */
  stopping: AbortSignal
}

/**
 * A room's contributions. `src/network.ts` lists the rooms, and the processes loop over that list:
 * nothing else is used. Parts with `never` take whatever the network has; the list proves that some
 * room provides it.
 */
export type Room = {
  name: string
  /** Its operations run in real time, even for an account with a test clock. */
  inRealTime?: true
  /** The reference lists its operations after those of the others. */
  comesLast?: true
  /** No room imports it: delete its folder and its line in the list to remove it. */
  optional?: true
  capabilities?: readonly Capability[]
  /** replaces capabilities of rooms below it */
  wrap?: (capability: never) => unknown
  /** the client of its workflows */
  engine?: (parts: never) => object
  /** services of its operations besides `Services` */
  services?: (parts: ServiceParts) => object
  /** configuration that its operations read */
  settings?: (config: never) => object
  /** reacts when a booking moves */
  bookingHooks?: (parts: never) => object
  /** its part in test clocks; undefined if the configuration disables it */
  clock?: (config: never, publicUrl: string) => ClockPart | undefined
  /** rows that have a workflow while they are open */
  openWork?: OpenWork
  schedules?: readonly Periodic[]
  /** the steps of the sweep, by the names of their passes */
  sweep?: (deps: never) => object
  /** the activities of each queue, loaded by its workers alone */
  activities?: Readonly<
    Partial<Record<'bookings' | 'venues' | 'webhooks', () => Promise<(deps: never) => object>>>
  >
  sealed?: readonly SealedColumn[]
  /** ends everything open of an account that is deleted */
  endWithAccount?: (tx: Db, accountId: string, at: Date) => Promise<unknown>
  /** shows gauges, read before each scrape; returns a function that hides them */
  gauges?: (metrics: Metrics, db: Db) => () => void
}
