import { timeAt } from '../src/base/account-time.ts'
import { readClock } from '../src/platform/database/account-time.ts'
import type { Pool } from '../src/platform/database/sql.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import type { SendOrder } from '../src/webhooks/rules/batch-messages.ts'
import type { EndpointStart, GivenCommand } from '../src/webhooks/rules/endpoint-messages.ts'
import { retryDelivery } from '../src/webhooks/sender/retry-delivery.ts'
import { sendChallenge } from '../src/webhooks/sender/send-challenge.ts'
import { sendDue } from '../src/webhooks/sender/send-due.ts'
import type { SenderDeps } from '../src/webhooks/sender/send-request.ts'
import { expireHeld } from '../src/webhooks/sender/upkeep.ts'
import { eraseDeliveries } from '../src/webhooks/steps/erase-deliveries.ts'
import { runCommand } from '../src/webhooks/steps/run-command.ts'
import { whileBeating } from './while-beating.ts'

export type WebhookUpkeepActivities = ReturnType<typeof createWebhookUpkeepActivities>
export type WebhookActivities = ReturnType<typeof createWebhookActivities>
export type WebhookUpkeepDeps = {
  db: Pool
  log: Log
  webhookRetentionDays: number
}

/** Keeps deliveries moving and their tables small, without sending anything. */
export const createWebhookUpkeepActivities = (deps: WebhookUpkeepDeps) => ({
  eraseDeliveries: (at: number) => eraseDeliveries(deps, deps.webhookRetentionDays, new Date(at)),
})

/** The requests to subscribers, sent only by the `webhooks` queue's worker. */
export const createWebhookActivities = (deps: SenderDeps) => ({
  sendDue: (start: EndpointStart, order: SendOrder) =>
    whileBeating(async (signal) => sendDue(deps, await readClock(deps.db, start), order, signal)),
  retryDelivery: (start: EndpointStart, id: string, at: number) =>
    whileBeating(async (signal) =>
      retryDelivery(deps, await readClock(deps.db, start), { id, at }, signal),
    ),
  sendChallenge: (start: EndpointStart, at: number, keyId: string) =>
    whileBeating(async (signal) =>
      sendChallenge(deps, await readClock(deps.db, start), { at, keyId }, signal),
    ),
  runCommand: (endpoint: EndpointStart, command: GivenCommand, at: number) =>
    whileBeating(async () => {
      const start = await readClock(deps.db, endpoint)
      return runCommand(deps, start, command, timeAt(start, at))
    }),
  expireHeld: (at: number) => whileBeating(() => expireHeld(deps, deps.heldDays, new Date(at))),
})
