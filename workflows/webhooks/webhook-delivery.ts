import {
  ActivityCancellationType,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { WebhookActivities } from '../../activities/index.ts'
import { WEBHOOKS_QUEUE } from '../../src/contract/rules/task-queues.ts'
import { INITIAL_CONCURRENCY } from '../../src/webhooks/rules/concurrency.ts'
import type { Pace, SendReport } from '../../src/webhooks/rules/sending.ts'
import type { DeliveryProgress, EndpointStart } from '../../src/webhooks/rules/webhooks.ts'
import {
  describeEndpoint,
  initialProgress,
  progressAfter,
  progressAfterFailure,
  showEndpoint,
} from './webhook-display.ts'
import { openEndpointInbox } from './webhook-inbox.ts'

const { sendDue } = proxyActivities<WebhookActivities>({
  taskQueue: WEBHOOKS_QUEUE,
  // without a worker a run must not collect signals without end
  scheduleToStartTimeout: '30s',
  startToCloseTimeout: '90s',
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { maximumAttempts: 1 },
  summary: 'send what is due',
})

/** A batch adds about ten events, and each signal beside it four: twenty processes that tell of news all the time keep a run under 4,000. */
const MOST_EVENTS = 1_000
/** Before the next look when one has failed, or has found something due that it could not take. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/**
 * All deliveries to one endpoint, from its creation to its deletion. What is due, how often it was tried and which keys sign it is in the
 * database: a signal only summary that a look is worth while, and a run begins with one, so nothing is lost between two runs.
 */
export async function webhookDelivery(
  start: EndpointStart,
  kept: Pace = { breaker: null, concurrency: INITIAL_CONCURRENCY, paceAt: 0, provedAt: null },
): Promise<string> {
  let pace = kept
  let pauseMs = FIRST_PAUSE_MS
  let now: DeliveryProgress = initialProgress(kept)
  let batch: CancellationScope | undefined
  const abortRequests = () => batch?.cancel()
  const inbox = openEndpointInbox(start, { abortRequests, currentProgress: () => now })
  const show = (progress: DeliveryProgress) => {
    now = progress
    showEndpoint(start, progress)
  }

  describeEndpoint(start)
  show(now)
  for (;;) {
    inbox.takeNews()
    if (inbox.takeRecovery()) pace = { ...pace, breaker: null }
    batch = new CancellationScope()
    const report = await sendIn(batch, start, pace)
    batch = undefined
    if (report) {
      const { breaker, concurrency, paceAt, provedAt } = report
      pace = { breaker, concurrency, paceAt, provedAt }
    }
    const isStuck =
      !report || (report.sent.length === 0 && (report.nextAt ?? Infinity) <= Date.now())
    pauseMs = isStuck ? Math.min(pauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS
    const nextAt = isStuck ? Date.now() + pauseMs : report.nextAt
    show(report ? progressAfter(report) : progressAfterFailure(now, nextAt))

    if (report?.endpoint === 'deleted') {
      await condition(allHandlersFinished)
      return 'deleted'
    }
    const { continueAsNewSuggested, historyLength } = workflowInfo()
    if (continueAsNewSuggested || historyLength > MOST_EVENTS) {
      inbox.refuseRequests()
      // What is under way is news when it is over; until then this run goes on sending.
      if (allHandlersFinished()) await continueAsNew<typeof webhookDelivery>(start, pace)
    }
    await inbox.waitUntil(earliest(nextAt, report?.keyEndsAt ?? null), now.summary)
  }
}

/** One batch; null when it failed, was called off, or lost its worker. */
async function sendIn(
  scope: CancellationScope,
  start: EndpointStart,
  pace: Pace,
): Promise<SendReport | null> {
  const seed = Math.floor(Math.random() * 2 ** 32)
  try {
    return await scope.run(() => sendDue(start, { ...pace, at: Date.now(), seed }))
  } catch (error) {
    if (isCancellation(error) && !scope.consideredCancelled) throw error
    return null
  }
}

function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
