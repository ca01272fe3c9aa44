import { refuse } from '../../contract/rules/errors.ts'

/** What a limit leaves: `limit` requests per `windowSeconds`, renewed in `resetSeconds`. */
export type Allowance = {
  policy: 'day' | 'address'
  granted: boolean
  limit: number
  windowSeconds: number
  remaining: number
  resetSeconds: number
}

/** RateLimit header fields for HTTP, draft-ietf-httpapi-ratelimit-headers-11. */
export function rateLimitHeaders(allowance: Allowance | null): Record<string, string> {
  if (!allowance) return {}
  const { policy, limit, windowSeconds, remaining, resetSeconds } = allowance
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  }
}

/** Throws `quota_exceeded` or `rate_limited`, with `retry_after` in seconds, if nothing was left. */
export function requireGranted(allowance: Allowance): void {
  const { policy, granted, limit, windowSeconds, resetSeconds } = allowance
  if (granted) return
  const facts = { limit, remaining: 0, retry_after: resetSeconds }
  throw policy === 'day'
    ? refuse('quota_exceeded', `All ${limit} requests of this UTC day are used.`, facts)
    : refuse('rate_limited', `The limit is ${limit} requests in ${windowSeconds} seconds.`, facts)
}
