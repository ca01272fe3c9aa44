import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Allowance } from './allowance.ts'

const WINDOW_SECONDS = 60

/** Limits what needs no quota: per address, or per account when a key was sent. Counted in this process only. */
export type LimitAddress = (request: FastifyRequest) => Promise<Allowance>

/** Registers the plugin on `app`; nothing is limited but what asks for it. */
export async function createAddressLimit(
  app: FastifyInstance,
  perMinute: number,
): Promise<LimitAddress> {
  await app.register(rateLimit, { global: false })
  const take = app.createRateLimit({
    max: perMinute,
    timeWindow: WINDOW_SECONDS * 1000,
    keyGenerator: (request) => request.keyHolder?.id ?? rateLimit.normalizeIP(request.ip),
  })
  return async (request) => {
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
