/** The actors of steps: the agent, the guest, the venue, an operator, or the network. */
export const actors = ['agent', 'guest', 'venue', 'network', 'operator'] as const
export type TimelineActor = (typeof actors)[number]

/**
 * The actor and reason of a step, in a sentence for guests, venues and support; `what` if the step
 * alone is unclear. Stored permanently and shown: no secrets, nothing that names or quotes a guest.
 */
export type TimelineReason = { by: TimelineActor; why: string; what?: string }

/** Stands in for the hash before the first entry: 32 zero bytes. */
export const NO_ENTRY = '0'.repeat(64)

/** Domain separation: data hashed for one purpose can never pass for any other. */
export const ENTRY_DOMAIN = 'venue-network/timeline-entry/v1\n'
export const HEAD_DOMAIN = 'venue-network/timeline-head/v1\n'

/** The signed content: the number of entries and the last hash, as read at `signed_at`. */
type TimelineHead = {
  booking_id: string
  entries: number
  head: string
  complete: boolean
  signed_at: string
}

/** Ed25519 in base64url without padding, made with the key `kid`. */
type HeadSignature = { alg: 'Ed25519'; kid: string; value: string }

/** A public key in the format of RFC 8037 and RFC 9864. */
export type TimelineJwk = {
  kty: 'OKP'
  crv: 'Ed25519'
  alg: 'Ed25519'
  use: 'sig'
  kid: string
  x: string
}

/** Signs with its first key. `keys` lists all of its keys, so older signatures stay verifiable. */
export type TimelineSigner = {
  sign(head: TimelineHead): HeadSignature
  keys: readonly TimelineJwk[]
}

/** The path of the public keys. */
export const TIMELINE_KEYS_PATH = '/.well-known/timeline-keys.json'
