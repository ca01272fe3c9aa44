import { patched, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'

/** Of one run, so that its history stays short; the next hour goes on. */
const MOST_STEPS = 300

const { eraseDeliveries } = proxyActivities<Activities>({
  startToCloseTimeout: '60s',
  retry: { maximumAttempts: 3 },
  summary: 'erase what was settled long ago',
})
const { tendAccounts } = proxyActivities<Activities>({
  startToCloseTimeout: '60s',
  retry: { maximumAttempts: 3 },
  summary: 'invoice the month, erase what was called long ago',
})

type Erased = Omit<Awaited<ReturnType<Activities['eraseDeliveries']>>, 'hasMore'>
type Tended = Omit<Awaited<ReturnType<Activities['tendAccounts']>>, 'hasMore'>

/**
 * Invoices the months of the pro tier, and keeps deliveries, attempts and requests from growing for
 * ever, a thousand at a time. Neither keeps the other back: both are tried before the failure of
 * one is thrown. Run every hour by a schedule.
 */
export async function retention(): Promise<Erased & { accounts: Tended }> {
  if (!patched('accounts first')) {
    return { ...(await erase()), accounts: patched('accounts') ? await tend() : noneTended }
  }
  const tended = tend()
  await tended.catch(() => {})
  const erased = await erase()
  return { ...erased, accounts: await tended }
}

const noneTended: Tended = { invoices: 0, calls: 0, counts: 0 }

async function tend(): Promise<Tended> {
  const tended = { ...noneTended }
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const step = await tendAccounts(Date.now())
    tended.invoices += step.invoices
    tended.calls += step.calls
    tended.counts += step.counts
    if (!step.hasMore) break
  }
  return tended
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
