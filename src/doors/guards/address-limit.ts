import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Allowance } from './allowance.ts'

const WINDOW_SECONDS = 60

/** Limits what needs no quota: per address, or per account where it is known. Counted in this process only. */
export type LimitAddress = (request: FastifyRequest) => Promise<Allowance>

/** Where a request comes from, as far as that can be told apart: of IPv6 the network of a subscriber. */
export const addressOf = ({ ip }: Pick<FastifyRequest, 'ip'>): string => rateLimit.normalizeIP(ip)

/** Registers the plugin on `app`, where nothing is limited but what asks for it; each limit made counts by itself. */
export async function createAddressLimits(
  app: FastifyInstance,
): Promise<(perMinute: number) => LimitAddress> {
  await app.register(rateLimit, { global: false })
  return (perMinute) => addressLimit(app, perMinute)
}

function addressLimit(app: FastifyInstance, perMinute: number): LimitAddress {
  const take = app.createRateLimit({
    max: perMinute,
    timeWindow: WINDOW_SECONDS * 1000,
    keyGenerator: (request) => request.keyHolder?.id ?? addressOf(request),
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
