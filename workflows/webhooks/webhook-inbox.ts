import {
  ApplicationFailure,
  condition,
  defineQuery,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow'
import type { WebhookActivities } from '../../activities/webhooks.ts'
import { WEBHOOKS_QUEUE } from '../../src/base/task-queues.ts'
import {
  type AttemptOutcome,
  type DeliveryProgress,
  ENDING,
  type EndpointStart,
  notSent,
  PROGRESS_QUERY,
  type SentNow,
} from '../../src/webhooks/rules/endpoint-messages.ts'
import { openClock } from '../account-clock.ts'
import { onSignal, onUpdate } from '../messages.ts'
import { unreadable } from '../shapes.ts'
import { deliver, retry, verify } from './endpoint-messages.ts'

const { retryDelivery, sendChallenge } = proxyActivities<WebhookActivities>({
  taskQueue: WEBHOOKS_QUEUE,
  scheduleToStartTimeout: '30s',
  startToCloseTimeout: '45s',
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 1 },
  summary: 'send one request for the owner',
})

const progress = defineQuery<DeliveryProgress>(PROGRESS_QUERY)

/**
 * Handles messages to an endpoint's workflow that announce news in the database or ask for a
 * request to be sent. Messages that change the endpoint are in `webhook-commands.ts`.
 */
export function openEndpointInbox(
  start: EndpointStart,
  currentProgress: () => DeliveryProgress,
  on: { events(names: unknown): void; attempt(made: AttemptOutcome): void },
) {
  let hasMessage = true
  let hasRecovered = false
  let isEnding = false
  const wake = () => {
    hasMessage = true
  }
  const clock = openClock(start, wake)
  const sendNow = async (send: () => Promise<SentNow>): Promise<SentNow> => {
    try {
      const outcome = await send()
      if ('refused' in outcome) return { ...outcome, why: notSent[outcome.refused] }
      hasRecovered ||= outcome.status === 'succeeded'
      on.attempt(outcome)
      return outcome
    } catch {
      return { refused: 'lost', why: notSent.lost }
    } finally {
      wake()
    }
  }
  // Created once, because capturing a stack trace takes longer than the rejection.
  const ending = ApplicationFailure.nonRetryable('this run is about to continue as new', ENDING)
  const unlessEnding = () => (isEnding ? ending : undefined)
  onSignal(deliver, (names) => {
    if (!unreadable(names, deliver.name)) on.events(names)
    wake()
  })
  const retryNow = (id: string) => sendNow(() => retryDelivery(start, id, clock.now()))
  const verifyNow = (keyId?: string) =>
    sendNow(() => sendChallenge(start, clock.now(), keyId ?? ''))
  onUpdate(retry, retryNow, unlessEnding)
  onUpdate(verify, verifyNow, unlessEnding)
  setHandler(progress, currentProgress, { description: 'What the endpoint does now, and next' })

  return {
    /** The time of the endpoint's account, and the next run's argument. */
    ...clock,
    /** Acts as if a message had arrived. */
    wake,
    /** Forgets the messages so far, so that `waitUntil` waits for new ones. */
    clear() {
      hasMessage = false
    },
    /** Rejects updates from now on, without a trace in history, so that the run can end. */
    refuseRequests() {
      isEnding = true
    },
    /** True if a request that the owner triggered has succeeded since the last call. */
    takeRecovery() {
      const had = hasRecovered
      hasRecovered = false
      return had
    },
    /** Waits for a message, or until `at` in ms; null waits indefinitely. */
    async waitUntil(at: number | null, summary: string): Promise<void> {
      if (hasMessage) return
      if (at === null) return condition(() => hasMessage)
      const ms = at - clock.now()
      if (ms > 0) await condition(() => hasMessage, ms, { summary })
    },
  }
}
