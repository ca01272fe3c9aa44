import { randomUUID } from 'node:crypto'
import { WEBHOOKS_QUEUE } from '../base/task-queues.ts'
import type { Context } from '../contract/operation.ts'
import type { EngineParts } from '../contract/room.ts'
import { announce, clockSignal } from '../platform/temporal/announce.ts'
import type { Resumed } from '../platform/temporal/runs.ts'
import { summarized } from '../platform/temporal/summarized.ts'
import { createUpdates, START_TIMEOUT_MS, unavailable } from '../platform/temporal/updates.ts'
import {
  DELIVER_SIGNAL,
  ENDING,
  type EndpointSignal,
  type EndpointStart,
  endpointWorkflowId,
  RETRY_UPDATE,
  type SentNow,
  VERIFY_UPDATE,
} from './rules/endpoint-messages.ts'
import type { AwaitEvents } from './store/await-events.ts'

/**
 * Signals endpoints' workflows, starting them if necessary. `stopWaiting` ends all waits as if they
 * had timed out.
 */
export function createWebhookEngine({ client, runs, stopWaiting }: EngineParts) {
  const { within, awaitUpdate } = createUpdates(client, stopWaiting)

  const signalEndpoint = (start: EndpointStart, { name, ...about }: EndpointSignal) =>
    within(START_TIMEOUT_MS, async () => {
      await client.workflow.signalWithStart('webhookDelivery', {
        ...workflowOptions(start),
        signal: name,
        signalArgs: Object.keys(about).length > 0 ? [about] : noArgs,
      })
    })

  const announceDue = (start: EndpointStart, id: string) =>
    announce(client, {
      workflowType: 'webhookDelivery',
      workflow: workflowOptions(start),
      signalName: DELIVER_SIGNAL,
      id: `${DELIVER_SIGNAL} ${id}`,
    })

  const sendNow = (start: EndpointStart, name: string, args: string[], waitSeconds: number) =>
    awaitUpdate<SentNow, string[]>(
      {
        type: 'webhookDelivery',
        options: workflowOptions(start),
        signalInstead: () => announceDue(start, [name, ...args].join(' ')),
        unavailable: () => unavailable({ endpoint_id: start.endpointId }),
        rejected: { type: ENDING, answer: { refused: 'busy' } },
      },
      { name, id: randomUUID(), args, waitSeconds },
    )

  return {
    /** Reports that the database has work for an endpoint (`rules/endpoint-messages.ts`). */
    signalEndpoint,
    /** Reports due deliveries. Repeating an `id` costs the running workflow nothing. */
    announceDue,
    /** Starts an endpoint's workflow if it has none or its run cannot continue. */
    resumeEndpoint: (start: EndpointStart): Promise<Resumed> =>
      runs.resume({ type: 'webhookDelivery', options: workflowOptions(start) }),
    /** Sends the endpoint's workflow the time of the account's test clock. */
    notifyEndpointTime: (start: EndpointStart, id: string) =>
      announce(client, {
        workflowType: 'webhookDelivery',
        workflow: workflowOptions(start),
        ...clockSignal(start, id),
      }),
    /** Sends one delivery now. Throws `booking_engine_unavailable`. */
    retryDelivery: (start: EndpointStart, deliveryId: string, waitSeconds: number) =>
      sendNow(start, RETRY_UPDATE, [deliveryId], waitSeconds),
    /** Sends the challenge now, signed only with the staged key `keyId` if given. */
    challengeEndpoint: (start: EndpointStart, waitSeconds: number, keyId?: string) =>
      sendNow(start, VERIFY_UPDATE, keyId ? [keyId] : [], waitSeconds),
  }
}
export type WebhookEngine = ReturnType<typeof createWebhookEngine>

const noArgs: unknown[] = []

const workflowOptions = (start: EndpointStart) => ({
  taskQueue: WEBHOOKS_QUEUE,
  workflowId: endpointWorkflowId(start.endpointId),
  args: [start],
  ...summarized(`Deliveries to endpoint ${start.endpointId}`),
})

/** Services that the operations on endpoints and events use. */
export type WebhookServices = {
  engine: WebhookEngine
  awaitEvents: AwaitEvents
  settings: { endpointsPerAccount: number }
}
export type WebhookContext = Context<WebhookServices>
