import { proxyActivities, setWorkflowOptions } from '@temporalio/workflow'
import type { AccountActivities } from '../activities/accounts.ts'
import type { BookingActivities } from '../activities/bookings.ts'
import type { WebhookUpkeepActivities } from '../activities/webhooks.ts'
import { scheduled, stayPinned, toAnyWorker } from './rounds.ts'

/** Per run, to keep the history short; the next run continues an hour later. */
const MAX_STEPS = 300
/** Each pass takes up to 20 s. */
const MAX_PASSES = 20

const options = {
  ...toAnyWorker,
  startToCloseTimeout: '60s',
  retry: { maximumAttempts: 3 },
} as const
const { eraseDeliveries } = proxyActivities<WebhookUpkeepActivities>({
  ...options,
  summary: 'erase deliveries that were settled long ago',
})
const { invoiceAndPruneAccounts } = proxyActivities<AccountActivities>({
  ...options,
  summary: 'invoice the month, erase old requests',
})
const { eraseHistory } = proxyActivities<BookingActivities>({
  ...options,
  heartbeatTimeout: '15s',
  summary: 'erase the history of bookings that were over long ago',
})

type Erased = Omit<Awaited<ReturnType<WebhookUpkeepActivities['eraseDeliveries']>>, 'hasMore'>
type Pruned = Omit<Awaited<ReturnType<AccountActivities['invoiceAndPruneAccounts']>>, 'hasMore'>
type History = { done: number; failed: number }

/**
 * Invoices months of the pro tier and erases old requests, deliveries, attempts and booking
 * histories in steps. Every part runs before any failure is thrown. Scheduled every hour.
 */
export const retention = () => scheduled(eraseAll)
setWorkflowOptions(stayPinned, retention)

async function eraseAll(): Promise<Erased & { accounts: Pruned; history: History }> {
  const pruned = prune()
  await pruned.catch(() => {})
  const erased = erase()
  await erased.catch(() => {})
  const history = await eraseHistories()
  return { ...(await erased), accounts: await pruned, history }
}

async function eraseHistories(): Promise<History> {
  const erased = { done: 0, failed: 0 }
  for (let passes = 0; passes < MAX_PASSES; passes += 1) {
    const pass = await eraseHistory(Date.now())
    erased.done += pass.done
    erased.failed += pass.failed
    if (pass.next === null) break
  }
  return erased
}

const prune = (): Promise<Pruned> =>
  inSteps({ invoices: 0, calls: 0, counts: 0 }, invoiceAndPruneAccounts)

const erase = (): Promise<Erased> =>
  inSteps({ deliveries: 0, challenges: 0, replays: 0, endpoints: 0 }, eraseDeliveries)

/** Repeats a step until nothing is left, and adds up its counts. */
async function inSteps<K extends string>(
  sums: Record<K, number>,
  run: (at: number) => Promise<Record<NoInfer<K>, number> & { hasMore: boolean }>,
): Promise<Record<K, number>> {
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const step = await run(Date.now())
    for (const name of Object.keys(sums) as K[]) sums[name] += step[name]
    if (!step.hasMore) break
  }
  return sums
}
