import { proxyActivities } from '@temporalio/workflow'
import type { AccountActivities } from '../activities/accounts.ts'
import type { WebhookUpkeepActivities } from '../activities/webhooks.ts'

/** Per run, so that its history stays short; the next hour goes on. */
const MOST_STEPS = 300

const options = { startToCloseTimeout: '60s', retry: { maximumAttempts: 3 } } as const
const { eraseDeliveries } = proxyActivities<WebhookUpkeepActivities>({
  ...options,
  summary: 'erase deliveries that were settled long ago',
})
const { invoiceAndPruneAccounts } = proxyActivities<AccountActivities>({
  ...options,
  summary: 'invoice the month, erase old requests',
})

type Erased = Omit<Awaited<ReturnType<WebhookUpkeepActivities['eraseDeliveries']>>, 'hasMore'>
type Pruned = Omit<Awaited<ReturnType<AccountActivities['invoiceAndPruneAccounts']>>, 'hasMore'>

/**
 * Invoices the months of the pro tier and erases old deliveries, attempts and requests, in steps.
 * Both parts run before the failure of one is thrown. Every hour by a schedule.
 */
export async function retention(): Promise<Erased & { accounts: Pruned }> {
  const pruned = prune()
  await pruned.catch(() => {})
  const erased = await erase()
  return { ...erased, accounts: await pruned }
}

async function prune(): Promise<Pruned> {
  const pruned = { invoices: 0, calls: 0, counts: 0 }
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const step = await invoiceAndPruneAccounts(Date.now())
    pruned.invoices += step.invoices
    pruned.calls += step.calls
    pruned.counts += step.counts
    if (!step.hasMore) break
  }
  return pruned
}

async function erase(): Promise<Erased> {
  const erased = { deliveries: 0, challenges: 0, replays: 0, endpoints: 0 }
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const step = await eraseDeliveries(Date.now())
    erased.deliveries += step.deliveries
    erased.challenges += step.challenges
    erased.replays += step.replays
    erased.endpoints += step.endpoints
    if (!step.hasMore) break
  }
  return erased
}
