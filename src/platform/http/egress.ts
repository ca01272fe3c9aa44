import type { Sealer } from '../sealing/sealing.ts'
import { OutboundError } from './failure.ts'
import { newSigningSecret, parseSigningSecret, sign } from './signature.ts'
import { type OutboundPolicy, parseTarget } from './target.ts'

/** Random keys have more distinct bytes; one with fewer is a mistake. */
const MIN_DIFFERENT_BYTES = 8

/** URL rules and secrets for operations. Never store, log or echo a plain secret. */
export type Egress = Pick<Sealer, 'seal' | 'open' | 'digests' | 'tokens'> & {
  /** Why a URL can never be acceptable, or undefined; each attempt rechecks its host name. */
  urlFault(url: string): string | undefined
  /** `whsec_…` */
  newSecret(): string
  isSecret(text: string): boolean
  /** Whether two signing secrets are the same key, regardless of padding. */
  isSameSecret(one: string, other: string): boolean
  /** A message's `webhook-signature` made with one secret. */
  sign(secret: string, message: Parameters<typeof sign>[1]): string
}

export const createEgress = (policy: OutboundPolicy, sealer: Sealer): Egress => ({
  urlFault(url) {
    try {
      parseTarget(url, policy)
      return undefined
    } catch (error) {
      if (error instanceof OutboundError) return error.message
      throw error
    }
  },
  newSecret: newSigningSecret,
  isSecret: (text) => new Set(parseSigningSecret(text)).size >= MIN_DIFFERENT_BYTES,
  isSameSecret: (one, other) => {
    const key = parseSigningSecret(other)
    return key !== undefined && parseSigningSecret(one)?.equals(key) === true
  },
  sign: (secret, message) => sign([secret], message),
  seal: sealer.seal,
  open: sealer.open,
  digests: sealer.digests,
  tokens: sealer.tokens,
})
