import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Allowance } from './allowance.ts'

const WINDOW_SECONDS = 60

/** The address of a caller as limits count it: for IPv6 the network of a subscriber. */
export const addressOf = ({ ip }: Pick<FastifyRequest, 'ip'>): string => rateLimit.normalizeIP(ip)

/**
 * Creates limits for what needs no quota: per account if it is known, else per address. Each limit
 * counts by itself, and in this process only.
 */
export async function createAddressLimits(app: FastifyInstance) {
  await app.register(rateLimit, { global: false })
  return (perMinute: number) => {
    const take = app.createRateLimit({
      max: perMinute,
      timeWindow: WINDOW_SECONDS * 1000,
      keyGenerator: (request) => request.keyHolder?.id ?? addressOf(request),
    })
    return async (request: FastifyRequest): Promise<Allowance> => {
      const taken = await take(request)
      if (taken.isAllowed) throw new Error('the address limit has no exceptions')
      return {
        policy: 'address',
        granted: !taken.isExceeded,
        limit: perMinute,
        windowSeconds: WINDOW_SECONDS,
        remaining: taken.remaining,
        resetSeconds: taken.ttlInSeconds,
      }
    }
  }
}
