import { setTimeout } from 'node:timers/promises'
import type { SendOrder, SendReport, WaitReason } from '../rules/batch-messages.ts'
import type { EndpointStart } from '../rules/endpoint-messages.ts'
import { markEnded, openBatch, selectNextDue } from '../store/batches.ts'
import { selectTroubles } from '../store/troubles.ts'
import { type Batch, beginBatch } from './batch.ts'
import { claimLimit, completionWaitMs, MAX_PAUSE_MS, pauseMs } from './batch-limits.ts'
import { recordCompleted } from './record-completed.ts'
import { sendClaimed } from './send-claimed.ts'
import type { SenderDeps } from './send-request.ts'
import { workflowClock } from './workflow-clock.ts'

/** The polling interval during slow requests; doubles after each poll that finds nothing. */
const MIN_POLL_MS = 100
const MAX_POLL_MS = 1_000

/**
 * Sends the due deliveries of one endpoint. Each attempt is recorded before it is sent. A batch
 * ends after 200 attempts or 10 s, or after 500 or 40 s during slow requests. Claimed deliveries
 * are always awaited (71 s max).
 */
export async function sendDue(
  deps: SenderDeps,
  start: EndpointStart,
  order: SendOrder,
  signal: AbortSignal,
): Promise<SendReport> {
  const now = workflowClock(start, order.at)
  const endpoint = await openBatch(deps.db, start.endpointId, now())
  if (!endpoint) {
    await markEnded(deps.db, start.endpointId, now())
    return { ...order, ...deleted }
  }
  const batch = beginBatch(deps, start, endpoint, order, signal)
  await run(batch)
  if (batch.failed) throw batch.failed.error
  const due = await selectNextDue(deps.db, start.endpointId, endpoint.is_fifo)
  const hasTrouble =
    order.inTrouble || endpoint.failing_since || batch.sent.some(({ failure }) => failure)
  const troubles = hasTrouble ? await selectTroubles(deps.db, start.endpointId) : undefined
  const report = { ...reportOf(batch, due), ...(troubles && { troubles }) }
  await setTimeout(finalPauseMs(batch, report), undefined, { signal }).catch(() => {})
  return report
}

const deleted = {
  endpoint: 'deleted',
  heldBy: null,
  sent: [],
  recovered: 0,
  nextAt: null,
  reason: 'due',
  keyEndsAt: null,
} satisfies Partial<SendReport>

/** Waits until the endpoint's rate limit or replay allows more, so the next batch has work. */
function finalPauseMs(batch: Batch, { sent, reason, nextAt }: SendReport): number {
  if (nextAt === null || sent.length === 0 || !['rate', 'replay'].includes(reason)) return 0
  const pause = nextAt - batch.now().getTime()
  return pause <= MAX_PAUSE_MS ? Math.max(0, pause) : 0
}

async function run(batch: Batch): Promise<void> {
  const { inFlight } = batch
  let pollMs = MIN_POLL_MS
  for (;;) {
    await record(batch)
    const limit = claimLimit(batch)
    if (limit > 0) {
      pollMs = (await send(batch, limit)) ? MIN_POLL_MS : Math.min(pollMs * 2, MAX_POLL_MS)
    }
    if (!inFlight.isEmpty()) {
      await inFlight.waitForCompletion(batch.state.concurrency, completionWaitMs(batch, pollMs))
      if (inFlight.count() > 0) batch.isDrained = false
    } else {
      const pause = pauseMs(batch)
      if (pause === undefined) return
      await setTimeout(pause)
      batch.isDrained = false
    }
  }
}

/** The next batch marks unrecorded results as unknown. Requests in flight are aborted. */
async function record(batch: Batch): Promise<void> {
  try {
    await recordCompleted(batch)
  } catch (error) {
    batch.failed ??= { error }
    batch.abortRequests()
  }
}

/** A failed claim ends the batch, but requests in flight are still awaited and recorded. */
async function send(batch: Batch, limit: number): Promise<boolean> {
  try {
    return (await sendClaimed(batch, limit)) > 0
  } catch (error) {
    batch.failed = { error }
    return false
  }
}

/** The report to the workflow. `due`: when the endpoint's next delivery is due. */
function reportOf(batch: Batch, due: Date | null): SendReport {
  const { endpoint, status, state, sent, paceAt, provedAt } = batch
  const next = status === 'active' ? nextOf(batch, due) : undefined
  return {
    endpoint: status,
    host: URL.parse(endpoint.url)?.host ?? '',
    heldBy: endpoint.status_reason,
    sent,
    recovered: endpoint.recovered,
    breaker: state.breaker,
    concurrency: state.concurrency,
    paceAt,
    provedAt: provedAt?.getTime() ?? null,
    nextAt: next?.at ?? null,
    reason: next?.reason ?? 'due',
    keyEndsAt: endpoint.key_ends_at?.getTime() ?? null,
  }
}

type Next = { at: number; reason: WaitReason }

/** When work is first due, or when the last limit ends if that is later. */
function nextOf({ state, paceAt, replayAt }: Batch, due: Date | null): Next | undefined {
  const { wait_until, wait_reason } = state.health
  const work: Next[] = []
  if (due) work.push({ at: due.getTime(), reason: 'due' })
  if (replayAt) work.push({ at: replayAt.getTime(), reason: 'replay' })
  const [first] = work.sort((one, other) => one.at - other.at)
  if (!first) return undefined
  const limits: Next[] = [
    { at: paceAt, reason: 'rate' },
    { at: wait_until?.getTime() ?? 0, reason: wait_reason ?? 'due' },
  ]
  return limits.reduce<Next>((latest, one) => (one.at > latest.at ? one : latest), first)
}
