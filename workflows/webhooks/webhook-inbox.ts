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
import type { WebhookActivities } from '../../activities/index.ts'
import { WEBHOOKS_QUEUE } from '../../src/contract/rules/task-queues.ts'
import {
  DELIVER_SIGNAL,
  type DeliveryProgress,
  ENDING,
  type EndpointStart,
  PAUSE_SIGNAL,
  PROGRESS_QUERY,
  REPLAY_SIGNAL,
  RESUME_SIGNAL,
  RETRY_UPDATE,
  ROTATE_SECRET_SIGNAL,
  type SentNow,
  VERIFY_UPDATE,
} from '../../src/webhooks/rules/webhooks.ts'

const { retryDelivery, sendChallenge } = proxyActivities<WebhookActivities>({
  taskQueue: WEBHOOKS_QUEUE,
  scheduleToStartTimeout: '30s',
  startToCloseTimeout: '45s',
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 1 },
  summary: 'send one request that its owner asked for',
})

const deliver = defineSignal(DELIVER_SIGNAL)
const replay = defineSignal<[string]>(REPLAY_SIGNAL)
const rotateSecret = defineSignal<[string, boolean?]>(ROTATE_SECRET_SIGNAL)
const pause = defineSignal(PAUSE_SIGNAL)
const resume = defineSignal(RESUME_SIGNAL)
const retry = defineUpdate<SentNow, [string]>(RETRY_UPDATE)
const verify = defineUpdate<SentNow, [string?]>(VERIFY_UPDATE)
const progress = defineQuery<DeliveryProgress>(PROGRESS_QUERY)

/** What an endpoint's workflow waits for besides time. All of it is in the database when the message comes. */
export type EndpointInbox = {
  /** From now on there is no news but what comes. */
  takeNews(): void
  hasNews(): boolean
  /** From now on what its owner wants sent at once is rejected, which leaves no trace in history: this run is to end when nothing of that is under way. */
  refuseRequests(): void
  /** True when a request of its owner's has arrived since the last call: the endpoint is well. */
  takeRecovery(): boolean
  /** Waits until there is news, or until `at` in ms since the epoch; null for no end. */
  waitUntil(at: number | null, summary: string): Promise<void>
}

/** Takes the messages to this workflow from now on. `abortRequests` is called when what is being sent must not go on. */
export function openEndpointInbox(
  start: EndpointStart,
  {
    abortRequests,
    currentProgress,
  }: { abortRequests: () => void; currentProgress: () => DeliveryProgress },
): EndpointInbox {
  let hasNews = true
  let hasRecovered = false
  let isEnding = false
  const wake = () => {
    hasNews = true
  }
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
  // made once: writing down where an error comes from takes longer than the rejection
  const ending = ApplicationFailure.nonRetryable('this run is about to end', ENDING)
  const unlessEnding = (_?: string) => {
    if (isEnding) throw ending
  }
  for (const signal of [deliver, pause, resume]) setHandler(signal, wake)
  setHandler(replay, wake)
  setHandler(rotateSecret, (_, abortsRequests = false) => {
    wake()
    if (abortsRequests) abortRequests()
  })
  const retryNow = (id: string) => sendNow(() => retryDelivery(start, id, Date.now()))
  const verifyNow = (keyId = '') => sendNow(() => sendChallenge(start, Date.now(), keyId))
  setHandler(retry, retryNow, { validator: unlessEnding })
  setHandler(verify, verifyNow, { validator: unlessEnding })
  setHandler(progress, currentProgress)

  return {
    takeNews() {
      hasNews = false
    },
    hasNews: () => hasNews,
    refuseRequests() {
      isEnding = true
    },
    takeRecovery() {
      const had = hasRecovered
      hasRecovered = false
      return had
    },
    async waitUntil(at, summary) {
      if (hasNews) return
      if (at === null) return condition(() => hasNews)
      const ms = at - Date.now()
      if (ms > 0) await condition(() => hasNews, ms, { summary })
    },
  }
}
