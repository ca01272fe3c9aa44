import type { Client } from '@temporalio/client'
import { createBookingEngine } from '../bookings/engine.ts'
import type { LocalWorker } from '../bookings/steps/booking-answers.ts'
import { createClockEngine } from '../clocks/engine.ts'
import type { Engine } from '../contract/operation.ts'
import { createGroupEngine } from '../itineraries/engine.ts'
import { createServerState, type ServerState } from '../platform/temporal/queues.ts'
import { createRuns, type NoteResumed } from '../platform/temporal/runs.ts'
import { createWaitlistEngine } from '../waitlist/engine.ts'
import { createWebhookEngine } from '../webhooks/engine.ts'

declare module '../contract/operation.ts' {
  interface Engine extends ServerState {}
}

type EngineOptions = {
  /** ends all waits as if time was up */
  stopWaiting?: AbortSignal
  /** the worker of bookings in this process */
  local?: LocalWorker | undefined
  noteResumed?: NoteResumed
}

/** The clients of all workflows. */
export function createEngine(
  client: Client,
  { stopWaiting = new AbortController().signal, local, noteResumed }: EngineOptions = {},
): Engine {
  const runs = createRuns(client, noteResumed)
  return {
    ...createServerState(client),
    ...createBookingEngine(client, runs, stopWaiting, local),
    ...createGroupEngine(client, runs, stopWaiting),
    ...createWaitlistEngine(client, runs),
    ...createWebhookEngine(client, runs, stopWaiting),
    ...createClockEngine(client, runs, stopWaiting),
  }
}
