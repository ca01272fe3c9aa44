import type { Client } from '@temporalio/client'
import { type QueueStats, readQueues } from './queues.ts'

const ANSWER_TIMEOUT_MS = 2_000

/** What the Temporal server says of itself; each call throws when there is no answer within 2 s. */
export type ServerState = {
  queues(): Promise<QueueStats[]>
  /** Throws when the server or the namespace cannot be reached. */
  check(): Promise<void>
}

export function createServerState(client: Client): ServerState {
  const within = <T>(call: () => Promise<T>) =>
    client.withDeadline(Date.now() + ANSWER_TIMEOUT_MS, call)
  return {
    queues: () => within(() => readQueues(client)),
    async check() {
      const { namespace } = client.options
      await within(() => client.workflowService.describeNamespace({ namespace }))
    },
  }
}
