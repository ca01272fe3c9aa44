import type { BookingStatus } from '../../contract/rules/booking-status.ts'

/** Who can take a step: the guest's agent, the guest, the venue, or the network by itself. */
export const actors = ['agent', 'guest', 'venue', 'network'] as const
type Actor = (typeof actors)[number]

/**
 * Who took a step and why, in a sentence for the guest, a person at the venue or a support clerk; `what` where the step itself
 * does not say enough. Kept for ever and shown: never a guest's name, contact or words, never a secret.
 */
export type TimelineReason = { by: Actor; why: string; what?: string }

/** What one entry states. `at` is RFC 3339 in UTC, `revision` and `status` are the booking's after the step. */
export type TimelineFacts = {
  number: number
  at: string
  by: Actor
  what: string
  why: string
  revision: number
  status: BookingStatus
}

/** An entry in its chain: SHA-256 in lower-case hex, of the entry before and of this one. */
export type TimelineEntry = TimelineFacts & { previous: string; hash: string }

/** What the first entry of every chain names as the one before: 32 zero bytes. */
export const NO_ENTRY = '0'.repeat(64)

/** Begins what is hashed and what is signed, so that neither can be taken for the other or for anything else. */
export const ENTRY_DOMAIN = 'venue-network/timeline-entry/v1\n'
export const HEAD_DOMAIN = 'venue-network/timeline-head/v1\n'

/** What the network vouches for: so many entries, the last of them `head`, as read at `signed_at`. */
type TimelineHead = {
  booking_id: string
  entries: number
  head: string
  complete: boolean
  signed_at: string
}

/** Ed25519 in base64url without padding, by the key `kid`. */
type HeadSignature = { alg: 'Ed25519'; kid: string; value: string }

/** A public key as RFC 8037 and RFC 9864 write it. */
export type TimelineJwk = {
  kty: 'OKP'
  crv: 'Ed25519'
  alg: 'Ed25519'
  use: 'sig'
  kid: string
  x: string
}

/** Signs with the first of its keys; `keys` are all of them, so that what an earlier one signed can still be verified. */
export type TimelineSigner = {
  sign(head: TimelineHead): HeadSignature
  keys: readonly TimelineJwk[]
}

/** Where the public keys are. */
export const TIMELINE_KEYS_PATH = '/.well-known/timeline-keys.json'
