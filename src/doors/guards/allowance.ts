import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import { limitedAs } from '../../base/throttle.ts'

/** What remains of a limit of `limit` requests per `windowSeconds`; it resets in `resetSeconds`. */
export type Allowance = {
  policy: 'day' | 'address'
  granted: boolean
  limit: number
  windowSeconds: number
  remaining: number
  resetSeconds: number
}

/** RateLimit header fields for HTTP (draft-ietf-httpapi-ratelimit-headers-11). */
export function rateLimitHeaders(allowance: Allowance | null): Record<string, string> {
  if (!allowance) return {}
  const { policy, limit, windowSeconds, remaining, resetSeconds } = allowance
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  }
}

/** Unless granted, throws `quota_exceeded` or `rate_limited` with `retry_after` in seconds. */
export function requireGranted(allowance: Allowance): void {
  const { policy, granted, limit, windowSeconds, resetSeconds } = allowance
  if (granted) return
  const facts = { limit, remaining: 0, retry_after: resetSeconds }
  throw policy === 'day'
    ? refuse('quota_exceeded', `All ${limit} requests of this UTC day are used.`, facts)
    : refuse('rate_limited', `The limit is ${limit} requests in ${windowSeconds} seconds.`, facts)
}

const WINDOW_SECONDS = 60

/** The caller's address as used for limits: for IPv6, the subscriber's network. */
export const addressOf = ({ ip }: Pick<FastifyRequest, 'ip'>): string => rateLimit.normalizeIP(ip)

const callerOf = (request: FastifyRequest): string =>
  request.developer?.id ?? (request.keyHolder ? limitedAs(request.keyHolder) : addressOf(request))

/** Creates limits in this process per signed-in person, per key's account, or else per address. */
export async function createCallerLimits(app: FastifyInstance) {
  await app.register(rateLimit, { global: false })
  return (perMinute: number, keyOf = callerOf) => {
    const take = app.createRateLimit({
      max: perMinute,
      timeWindow: WINDOW_SECONDS * 1000,
      keyGenerator: keyOf,
    })
    return async (request: FastifyRequest): Promise<Allowance> => {
      const result = await take(request)
      if (result.isAllowed) throw new Error('limits per caller have no allow-list')
      return {
        policy: 'address',
        granted: !result.isExceeded,
        limit: perMinute,
        windowSeconds: WINDOW_SECONDS,
        remaining: result.remaining,
        resetSeconds: result.ttlInSeconds,
      }
    }
  }
}
