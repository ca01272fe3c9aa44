import {
  ActivityCancellationType,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { WebhookActivities } from '../../activities/webhooks.ts'
import { WEBHOOKS_QUEUE } from '../../src/base/task-queues.ts'
import type { Pace, SendOrder, SendReport } from '../../src/webhooks/rules/batch-messages.ts'
import { INITIAL_CONCURRENCY } from '../../src/webhooks/rules/concurrency.ts'
import type { DeliveryProgress, EndpointStart } from '../../src/webhooks/rules/endpoint-messages.ts'
import { outlive } from '../messages.ts'
import { HOW_TO_STOP } from './endpoint-messages.ts'
import { handleCommands } from './webhook-commands.ts'
import {
  type EndpointNotes,
  initialProgress,
  progressAfter,
  progressAfterFailure,
  showEndpoint,
  showInList,
  withAttempts,
} from './webhook-display.ts'
import { openEndpointInbox } from './webhook-inbox.ts'
import { collectNames } from './webhook-names.ts'

const sending = {
  taskQueue: WEBHOOKS_QUEUE,
  // If there is no worker, signals must not pile up in a single run forever.
  scheduleToStartTimeout: '30s',
  startToCloseTimeout: '90s',
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { maximumAttempts: 1 },
} as const

/** Twenty busy processes stay below 4,096 events a run, at which Temporal suggests a new one. */
const MAX_EVENTS = 1_000
/** The pause after a failed batch, which doubles each time. */
const MIN_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

const KEY_ENDS = 'a signing key ends'

/*
 * stateDiagram-v2
 *   [*] --> pending: event committed
 *   pending --> sending: due
 *   pending --> failed: give_up_at is over
 *   pending --> discarded: endpoint reopened without it, or deleted
 *   pending --> expired: endpoint inactive for too long
 *   sending --> delivered: endpoint acknowledges
 *   sending --> pending: to be tried again, or worker lost
 *   sending --> failed: schedule used up, or endpoint gone
 *   sending --> discarded: endpoint deleted
 *   delivered --> pending: retry or replay
 *   failed --> pending: retry or replay
 *   discarded --> pending: retry or replay
 *   expired --> pending: retry or replay
 */

/**
 * Delivers everything to one endpoint, from its creation to its deletion. A signal only says that
 * the database has work, and each run begins with a batch, so nothing is lost between runs.
 */
export const webhookDelivery = (
  start: EndpointStart,
  pace: Pace = { breaker: null, concurrency: INITIAL_CONCURRENCY, paceAt: 0, provedAt: null },
  before: EndpointNotes = { commands: [] },
): Promise<string> => outlive(HOW_TO_STOP, () => deliver(start, pace, before))

async function deliver(start: EndpointStart, pace: Pace, before: EndpointNotes): Promise<string> {
  let pauseMs = MIN_PAUSE_MS
  let now: DeliveryProgress = initialProgress(pace)
  let batch: CancellationScope | undefined
  let notes = before
  const names = collectNames()
  const inbox = openEndpointInbox(start, () => now, {
    events: names.add,
    attempt: ({ event = 'challenge', http_status: http, ...outcome }) => {
      names.distrust()
      notes = withAttempts(notes, [{ event, http, ...outcome }], time())
      show(now)
    },
  })
  const show = (progress: DeliveryProgress) => {
    now = progress
    showEndpoint(start, progress, notes)
  }
  const showCommands = (commands: readonly string[]) => {
    notes = { ...notes, commands }
    show(now)
  }
  const abortRequests = () => batch?.cancel()
  const { now: time } = inbox
  const wake = () => {
    names.distrust()
    inbox.wake()
  }
  handleCommands({ start, wake, now: time, abortRequests, show: showCommands }, before.commands)

  show(now)
  for (;;) {
    inbox.clear()
    if (inbox.takeRecovery()) pace = { ...pace, breaker: null }
    batch = new CancellationScope()
    const { troubles = [] } = notes
    const trouble = troubles.length > 0 && { inTrouble: troubles.length }
    const order = { ...pace, at: time(), ...trouble }
    const report = await sendIn(batch, start, order, names.take(troubles, order.at))
    batch = undefined
    if (report) {
      notes = withReport(notes, report, time())
      showInList(start, report)
      const { breaker, concurrency, paceAt, provedAt } = report
      pace = { breaker, concurrency, paceAt, provedAt }
    } else names.distrust()
    const after = afterBatch(report, pauseMs, time())
    pauseMs = after.pauseMs
    const { nextAt } = after
    show(report ? progressAfter(report) : progressAfterFailure(now, nextAt))

    if (report?.endpoint === 'deleted') {
      await condition(allHandlersFinished)
      return 'deleted'
    }
    if (needsNewRun()) {
      inbox.refuseRequests()
      // Updates in progress wake this run when they end; until then it keeps sending.
      if (allHandlersFinished()) {
        await continueAsNew<typeof webhookDelivery>(inbox.withTime(start), pace, notes)
      }
    }
    const wakesAt = earliest(nextAt, report?.keyEndsAt ?? null)
    await inbox.waitUntil(wakesAt, wakesAt === nextAt ? (now.timer ?? now.summary) : KEY_ENDS)
  }
}

function withReport(notes: EndpointNotes, report: SendReport, at: number): EndpointNotes {
  const { host, troubles = [] } = report
  return { ...withAttempts(notes, report.sent, at), ...(host && { host }), troubles }
}

/** When to check again; after a failed batch, at the end of a pause that doubles each time. */
function afterBatch(report: SendReport | null, pauseMs: number, at: number) {
  if (report && (report.sent.length > 0 || report.nextAt === null || report.nextAt > at)) {
    return { pauseMs: MIN_PAUSE_MS, nextAt: report.nextAt }
  }
  const longer = Math.min(pauseMs * 2, MAX_PAUSE_MS)
  return { pauseMs: longer, nextAt: at + longer }
}

function needsNewRun(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo()
  return continueAsNewSuggested || historyLength > MAX_EVENTS
}

/** Runs one batch; null if it failed, was aborted, or lost its worker. */
async function sendIn(
  scope: CancellationScope,
  start: EndpointStart,
  order: Omit<SendOrder, 'seed'>,
  summary: string,
): Promise<SendReport | null> {
  const { sendDue } = proxyActivities<WebhookActivities>({ ...sending, summary })
  const seed = Math.floor(Math.random() * 2 ** 32)
  try {
    return await scope.run(() => sendDue(start, { ...order, seed }))
  } catch {
    return null
  }
}

function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
