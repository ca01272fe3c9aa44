import { LRUCache } from 'lru-cache'
import { refuse } from '../../contract/rules/errors.ts'

/** A full bucket holds the calls of this many seconds. */
const BURST_SECONDS = 2
/** The buckets of further accounts are forgotten, which fills them. */
const MAX_BUCKETS = 10_000
const RETRY_AFTER_SECONDS = 1

type Bucket = { calls: number; filledAt: number }

/**
 * Limits the calls of an account in this process: `perSecond` from a token bucket, and `inFlight`
 * at the same time. The returned function begins a call and returns what ends it; it throws
 * `account_rate_limited` or `too_many_in_flight`.
 */
export function createMeter({ perSecond, inFlight }: { perSecond: number; inFlight: number }) {
  const burst = perSecond * BURST_SECONDS
  const buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS })
  const running = new Map<string, number>()

  return (account: string, at: Date): (() => void) => {
    const open = running.get(account) ?? 0
    if (open >= inFlight) {
      const what = `${inFlight} requests of this account are in flight.`
      throw refuse('too_many_in_flight', what, facts(inFlight))
    }
    const bucket = buckets.get(account) ?? { calls: burst, filledAt: at.getTime() }
    const seconds = Math.max(0, at.getTime() - bucket.filledAt) / 1000
    const calls = Math.min(burst, bucket.calls + seconds * perSecond)
    if (calls < 1) {
      const what = `An account can send ${perSecond} requests a second, ${burst} at once.`
      throw refuse('account_rate_limited', what, facts(perSecond))
    }
    buckets.set(account, { calls: calls - 1, filledAt: at.getTime() })
    running.set(account, open + 1)
    return () => {
      const left = (running.get(account) ?? 1) - 1
      if (left > 0) running.set(account, left)
      else running.delete(account)
    }
  }
}

const facts = (limit: number) => ({ limit, remaining: 0, retry_after: RETRY_AFTER_SECONDS })
