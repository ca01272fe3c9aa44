import { LRUCache } from 'lru-cache'
import { refuse } from '../../base/errors.ts'

/** The capacity of a bucket, in seconds of calls at the full rate. */
const BURST_SECONDS = 2
/** Beyond this number, the least recently used buckets are dropped and start full again. */
const MAX_BUCKETS = 10_000
const RETRY_AFTER_SECONDS = 1
const ALL = 'requests'

/** `charge` takes more calls from the bucket, even into debt. */
export type MeteredCall = { end(): void; charge(calls: number): void }

type Bucket = { calls: number; filledAt: number }

const codes = {
  account: { fast: 'account_rate_limited', many: 'too_many_in_flight' },
  address: { fast: 'rate_limited', many: 'rate_limited' },
} as const

/**
 * Limits calls in this process per account, or per address if there is none: `perSecond` with a
 * token bucket, and `inFlight` concurrent calls. The returned function starts a call; it throws
 * `account_rate_limited` or `too_many_in_flight`, or `rate_limited` for addresses.
 */
export function createMeter(
  kind: keyof typeof codes,
  {
    perSecond,
    inFlight,
    what: calledFor = ALL,
  }: { perSecond: number; inFlight: number; what?: string },
) {
  const burst = perSecond * BURST_SECONDS
  const buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS })
  const running = new Map<string, number>()

  return (who: string, at: Date): MeteredCall => {
    const open = running.get(who) ?? 0
    if (open >= inFlight) {
      const what = `${inFlight} ${calledFor} of this ${kind} are in flight.`
      throw refuse(codes[kind].many, what, facts(inFlight))
    }
    const bucket = buckets.get(who) ?? { calls: burst, filledAt: at.getTime() }
    const seconds = Math.max(0, at.getTime() - bucket.filledAt) / 1000
    const calls = Math.min(burst, bucket.calls + seconds * perSecond)
    if (calls < 1) {
      const rate = `${perSecond} ${calledFor} a second, in bursts of ${burst}`
      const searches = calledFor === ALL ? ' A new search counts as eight or more.' : ''
      const what = `An ${kind} can send ${rate}.${searches}`
      throw refuse(codes[kind].fast, what, facts(perSecond))
    }
    buckets.set(who, { calls: calls - 1, filledAt: at.getTime() })
    running.set(who, open + 1)
    return {
      end() {
        const remaining = (running.get(who) ?? 1) - 1
        if (remaining > 0) running.set(who, remaining)
        else running.delete(who)
      },
      charge(more) {
        const bucket = buckets.get(who)
        if (bucket) bucket.calls = Math.max(-burst, bucket.calls - more)
      },
    }
  }
}

const facts = (limit: number) => ({ limit, remaining: 0, retry_after: RETRY_AFTER_SECONDS })
