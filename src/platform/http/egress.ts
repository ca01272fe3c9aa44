import type { Sealer } from '../sealing/sealing.ts'
import type { Egress } from './egress-rules.ts'
import { OutboundError } from './failure.ts'
import type { OutboundPolicy } from './policy.ts'
import { newSigningSecret, parseSigningSecret } from './signing-secret.ts'
import { parseTarget } from './target.ts'

/** The rules of the way out and its secrets, for operations. */
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
  isSecret: (text) => parseSigningSecret(text) !== undefined,
  isSameSecret: (one, other) => {
    const key = parseSigningSecret(other)
    return key !== undefined && parseSigningSecret(one)?.equals(key) === true
  },
  seal: sealer.seal,
  open: sealer.open,
  digests: sealer.digests,
})
