import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Refusal, refuse } from '../../base/errors.ts'
import { type Allowance, addressOf } from './allowance.ts'
import { holdsToken } from './authentication.ts'

const MAX_ADDRESSES = 10_000
const counted = new Set<string>([
  'unauthenticated',
  'address_not_allowed',
  'bad_signature',
  'venue_not_found',
])

export type FailedAuthentications = ReturnType<typeof countFailedAuthentications>

/**
 * Counts missing and invalid keys, sessions and signatures, and keys used from a forbidden address,
 * as open calls from that address (`take`). Beyond the limit, keys that were not valid recently are
 * refused with `rate_limited`, without a database lookup. Access tokens are always looked up and
 * never counted: they expire every 15 minutes, strangers share the address of a hosted assistant,
 * which renews a token only after a 401, and nobody guesses 32 random bytes.
 */
export function countFailedAuthentications(take: (request: FastifyRequest) => Promise<Allowance>) {
  const blocked = new LRUCache<string, true>({ max: MAX_ADDRESSES })

  const refuseBlocked = (request: FastifyRequest) => {
    const ms = blocked.getRemainingTTL(addressOf(request))
    if (ms > 0) throw tooMany(Math.ceil(ms / 1000))
  }
  const failed = async (request: FastifyRequest) => {
    const { granted, resetSeconds } = await take(request)
    if (granted) return
    blocked.set(addressOf(request), true, { ttl: resetSeconds * 1000 })
    throw tooMany(resetSeconds)
  }
  return {
    refuseBlocked,
    failed,
    /** Counts a call that lacks the key it needs, and returns its refusal. */
    async refuseKeyless(request: FastifyRequest) {
      await failed(request)
      return refuse('unauthenticated')
    },
    /** Whether calls from this address are refused, so that their bodies need not be read. */
    isBlocked: (request: FastifyRequest) => !holdsToken(request) && blocked.has(addressOf(request)),
    /** Looks up credentials. With `isKnown`, does so even for a blocked address. */
    async watch<T>(request: FastifyRequest, isKnown: boolean, lookUp: () => Promise<T>) {
      if (holdsToken(request)) return lookUp()
      if (!isKnown) refuseBlocked(request)
      try {
        return await lookUp()
      } catch (error) {
        if (error instanceof Refusal && counted.has(error.data.code)) await failed(request)
        throw error
      }
    },
  }
}

const tooMany = (seconds: number) =>
  refuse('rate_limited', 'Too many calls without a valid key or signature came from here.', {
    remaining: 0,
    retry_after: seconds,
  })
