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
  /** a run that hangs, whatever the reason, ends after this */
  longest: Duration
  /** what a run does until the next begins; without it, its work once */
  rounds?: Rounds
  /** whether its work can be divided into shards */
  divides?: true
  does: string
}

/** What the client of a room's workflows is made of. */
export type EngineParts = {
  client: Client
  runs: Runs
  /** ends all waits as if time was up */
  stopWaiting: AbortSignal
}

/** What the services of a room's operations are made of. */
export type ServiceParts = {
  db: Pool
  /** aborted when the process begins to stop */
  stopping: AbortSignal
}

/**
 * What a room brings. `src/network.ts` lists the rooms, and the processes loop over that list: a
 * part of a room that is not here is nowhere. Parts with `never` take whatever the network has; the
 * list checks that some room provides it.
 */
export type Room = {
  name: string
  /** Its operations live in real time, also for an account with a test clock. */
  inRealTime?: true
  /** Readers of the reference meet its operations after those of the others. */
  comesLast?: true
  /** No room imports it: it is deleted as a folder and a line of the list. */
  optional?: true
  capabilities?: readonly Capability[]
  /** replaces capabilities of rooms below by its own */
  wrap?: (capability: never) => unknown
  /** the client of its workflows */
  engine?: (parts: never) => object
  /** what its operations use besides `Services` */
  services?: (parts: ServiceParts) => object
  /** what its operations read from the configuration */
  settings?: (config: never) => object
  /** what it does when a booking moves */
  bookingHooks?: (parts: never) => object
  /** what it does on test clocks; undefined where the configuration has none of it */
  clock?: (config: never, publicUrl: string) => ClockPart | undefined
  /** rows with a workflow for as long as they are open */
  openWork?: OpenWork
  schedules?: readonly Periodic[]
  /** the steps of the sweep, by their passes */
  sweep?: (deps: never) => object
  /** the activities of each queue */
  activities?: Readonly<
    Partial<Record<'bookings' | 'venues' | 'webhooks', (deps: never) => object>>
  >
  sealed?: readonly SealedColumn[]
  /** ends what an account that is deleted has open in it */
  endWithAccount?: (tx: Db, accountId: string, at: Date) => Promise<unknown>
  /** shows gauges that are read before each scrape; answers how to hide them */
  gauges?: (metrics: Metrics, db: Db) => () => void
}
