import type { Client } from '@temporalio/client'
import type { LocalWorker } from '../bookings/steps/booking-answers.ts'
import { type NetworkEngine, rooms } from '../network.ts'
import { createServerState } from '../platform/temporal/queues.ts'
import { createRuns, type NoteResumed } from '../platform/temporal/runs.ts'

type EngineOptions = {
  /** ends all waits as if they had timed out */
  stopWaiting?: AbortSignal
  /** the bookings worker in this process */
  local?: LocalWorker | undefined
  noteResumed?: NoteResumed
}

/** The clients for all workflows. */
export function createEngine(
  client: Client,
  { stopWaiting = new AbortController().signal, local, noteResumed }: EngineOptions = {},
): NetworkEngine {
  const parts = { client, runs: createRuns(client, noteResumed), stopWaiting, local }
  const engines = rooms.flatMap((room) => ('engine' in room ? [room.engine(parts)] : []))
  return Object.assign(createServerState(client), ...engines) as NetworkEngine
}
