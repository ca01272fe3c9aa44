import type { Client } from '@temporalio/client'
import type { DecideHere } from '../bookings/engine.ts'
import { type NetworkEngine, rooms } from '../network.ts'
import { createServerState } from '../platform/temporal/queues.ts'
import { createRuns, type NoteResumed } from '../platform/temporal/runs.ts'

type EngineOptions = {
  /** ends all waits as if they had timed out */
  stopWaiting?: AbortSignal
  noteResumed?: NoteResumed
  /** decides new bookings in this process */
  decide?: DecideHere
}

/** The clients for all workflows. */
export function createEngine(
  client: Client,
  { stopWaiting = new AbortController().signal, noteResumed, decide }: EngineOptions = {},
): NetworkEngine {
  const parts = { client, runs: createRuns(client, noteResumed), stopWaiting, decide }
  const engines = rooms.flatMap((room) => ('engine' in room ? [room.engine(parts)] : []))
  return Object.assign(createServerState(client), ...engines) as NetworkEngine
}
