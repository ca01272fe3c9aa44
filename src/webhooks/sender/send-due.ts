import { setTimeout } from 'node:timers/promises'
import type { SendOrder, SendReport } from '../rules/sending.ts'
import type { EndpointStart } from '../rules/webhooks.ts'
import { openBatch, selectNextDue } from '../store/batches.ts'
import { type Batch, beginBatch, LONGEST_REST_MS, patienceOf, restOf, roomIn } from './batch.ts'
import { reportOf } from './batch-report.ts'
import { recordCompleted } from './record-completed.ts'
import type { SenderDeps } from './send-request.ts'
import { takeDue } from './take-due.ts'
import { workflowClock } from './workflow-clock.ts'

/** How soon a batch whose requests are slow looks for what has become due meanwhile; twice as long each time that nothing has. */
const FIRST_LOOK_MS = 100
const LONGEST_LOOK_MS = 1_000

/**
 * Sends what is due to one endpoint: takes as many as there are concurrency, writes each down before it is sent, and goes on until 200
 * are sent or 10 s have passed; beside requests that hang until 500 are taken or 40 s have passed. What was taken is always waited for,
 * so it answers after 71 s at most. Aborted, it calls its requests off and answers.
 */
export async function sendDue(
  deps: SenderDeps,
  start: EndpointStart,
  order: SendOrder,
  signal: AbortSignal,
): Promise<SendReport> {
  const endpoint = await openBatch(deps.db, start.endpointId, workflowClock(order.at)())
  if (!endpoint) return { ...order, ...deleted }
  const batch = beginBatch(deps, start, endpoint, order, signal)
  await run(batch)
  if (batch.failed) throw batch.failed.error
  const { isFifo } = endpoint
  const due = await selectNextDue(deps.db, start.endpointId, { isFifo })
  const report = reportOf({ ...batch, due })
  await setTimeout(lastRestOf(batch, report), undefined, { signal }).catch(() => {})
  return report
}

/** How long a batch that has sent enough still waits, so that the next one finds what the endpoint's rate or a replay lets it send. */
function lastRestOf(batch: Batch, { sent, reason, nextAt }: SendReport): number {
  if (nextAt === null || sent.length === 0 || !['rate', 'replay'].includes(reason)) return 0
  const rest = nextAt - batch.now().getTime()
  return rest <= LONGEST_REST_MS ? Math.max(0, rest) : 0
}

const deleted = {
  endpoint: 'deleted',
  sent: [],
  recovered: 0,
  nextAt: null,
  reason: 'due',
  keyEndsAt: null,
} satisfies Partial<SendReport>

async function run(batch: Batch): Promise<void> {
  const { inFlight } = batch
  let look = FIRST_LOOK_MS
  for (;;) {
    await settleAll(batch)
    const limit = batch.isDrained ? 0 : roomIn(batch)
    if (limit > 0) look = (await tookAny(batch, limit)) ? FIRST_LOOK_MS : next(look)
    if (!inFlight.isOver()) {
      await inFlight.waitForCompletion(batch.state.concurrency, patienceOf(batch, look))
      if (inFlight.count() > 0) batch.isDrained = false
    } else {
      const rest = restOf(batch)
      if (rest === undefined) return
      await setTimeout(rest)
      batch.isDrained = false
    }
  }
}

const next = (look: number) => Math.min(look * 2, LONGEST_LOOK_MS)

/** What cannot be written down is left to the next batch to call unknown; the rest is called off, so that it can be tried once more. */
async function settleAll(batch: Batch): Promise<void> {
  try {
    await recordCompleted(batch)
  } catch (error) {
    batch.failed ??= { error }
    batch.callOff()
  }
}

/** When nothing can be taken, what is on its way is still waited for and written down. */
async function tookAny(batch: Batch, limit: number): Promise<boolean> {
  try {
    return (await takeDue(batch, limit)) > 0
  } catch (error) {
    batch.failed = { error }
    return false
  }
}
