import type { ErrorCode } from '../../contract/rules/error-catalogue.ts'
import { type Refusal, refuse } from '../../contract/rules/errors.ts'

/** What a limit left after this request: `limit` requests per `windowSeconds`, renewed in `resetSeconds`. */
export type Allowance = {
  policy: 'day' | 'address'
  granted: boolean
  limit: number
  windowSeconds: number
  remaining: number
  resetSeconds: number
}

/** RateLimit header fields for HTTP, draft-ietf-httpapi-ratelimit-headers-11. */
export function rateLimitHeaders(allowance: Allowance): Record<string, string> {
  const { policy, limit, windowSeconds, remaining, resetSeconds } = allowance
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  }
}

/** The refusal of a request that the allowance did not grant; `retry_after` is in seconds. */
export function exceeded(allowance: Allowance): Refusal {
  const { policy, limit, windowSeconds, resetSeconds } = allowance
  const code: ErrorCode = policy === 'day' ? 'quota_exceeded' : 'rate_limited'
  const what =
    policy === 'day'
      ? `All ${limit} requests of this UTC day are used.`
      : `At most ${limit} requests in ${windowSeconds} seconds are taken here.`
  return refuse(code, what, { limit, remaining: 0, retry_after: resetSeconds })
}
