import {
  ApplicationFailure,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow'
import type { WebhookActivities } from '../../activities/webhooks.ts'
import { WEBHOOKS_QUEUE } from '../../src/contract/rules/task-queues.ts'
import {
  DELIVER_SIGNAL,
  type DeliveryProgress,
  ENDING,
  type EndpointStart,
  PROGRESS_QUERY,
  RETRY_UPDATE,
  type SentNow,
  VERIFY_UPDATE,
} from '../../src/webhooks/rules/endpoint-messages.ts'
import { openClock } from '../account-clock.ts'

const { retryDelivery, sendChallenge } = proxyActivities<WebhookActivities>({
  taskQueue: WEBHOOKS_QUEUE,
  scheduleToStartTimeout: '30s',
  startToCloseTimeout: '45s',
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 1 },
  summary: 'send one request for the owner',
})

const deliver = defineSignal<[unknown?]>(DELIVER_SIGNAL)
const retry = defineUpdate<SentNow, [string]>(RETRY_UPDATE)
const verify = defineUpdate<SentNow, [string?]>(VERIFY_UPDATE)
const progress = defineQuery<DeliveryProgress>(PROGRESS_QUERY)

/**
 * Handles the messages to an endpoint's workflow that report what is in the database, or ask for
 * one request. Those that change the endpoint are in `webhook-commands.ts`.
 */
export function openEndpointInbox(
  start: EndpointStart,
  currentProgress: () => DeliveryProgress,
  onEvents: (names: unknown) => void,
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
      const sent = await send()
      hasRecovered ||= 'status' in sent && sent.status === 'succeeded'
      return sent
    } catch (error) {
      if (isCancellation(error)) throw error
      return { refused: 'lost' }
    } finally {
      wake()
    }
  }
  // Made once: capturing a stack trace takes longer than the rejection.
  const ending = ApplicationFailure.nonRetryable('this run is about to continue as new', ENDING)
  const unlessEnding = (_?: string) => {
    if (isEnding) throw ending
  }
  setHandler(deliver, (names) => {
    onEvents(names)
    wake()
  })
  const retryNow = (id: string) => sendNow(() => retryDelivery(start, id, clock.now()))
  const verifyNow = (keyId = '') => sendNow(() => sendChallenge(start, clock.now(), keyId))
  setHandler(retry, retryNow, { validator: unlessEnding })
  setHandler(verify, verifyNow, { validator: unlessEnding })
  setHandler(progress, currentProgress)

  return {
    /** The time of the endpoint's account, and the argument of its next run. */
    ...clock,
    /** As if a message had come. */
    wake,
    /** Forgets the messages so far: `waitUntil` waits for new ones. */
    clear() {
      hasMessage = false
    },
    /** Rejects updates from now on, without a trace in history, so that the run can end. */
    refuseRequests() {
      isEnding = true
    },
    /** True when a request for the owner has succeeded since the last call. */
    takeRecovery() {
      const had = hasRecovered
      hasRecovered = false
      return had
    },
    /** Waits for a message, or until `at` in ms; null for no end. */
    async waitUntil(at: number | null, summary: string): Promise<void> {
      if (hasMessage) return
      if (at === null) return condition(() => hasMessage)
      const ms = at - clock.now()
      if (ms > 0) await condition(() => hasMessage, ms, { summary })
    },
  }
}
