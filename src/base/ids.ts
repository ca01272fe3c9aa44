/** An API key: the mode's prefix and 32 random bytes in base64url. */
export const apiKeyPrefixes = { live: 'service_live_', test: 'service_test_' } as const
export const apiKeyPattern = /^service_(live|test)_[A-Za-z0-9_-]{43}$/
export const liveKeyPattern = /^service_live_[A-Za-z0-9_-]{43}$/

/** An OAuth token: the prefix and 32 random bytes in base64url. */
export const tokenPrefixes = { access: 'service_access_', refresh: 'service_refresh_' } as const
export const accessTokenPattern = /^service_access_[A-Za-z0-9_-]{43}$/

// Crockford’s base 32: no letter is mistaken for a digit.
const CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A short code of a booking to read aloud, as in `K7Q-2FD`: 30 random bits of its UUID. */
export function bookingCode(id: string): string {
  const bits = Number.parseInt(id.slice(-8), 16)
  const letter = (index: number) => CODE_LETTERS.charAt((bits >>> (index * 5)) & 31)
  const six = [5, 4, 3, 2, 1, 0].map(letter).join('')
  return `${six.slice(0, 3)}-${six.slice(3)}`
}

/** Envelope protocol and network version; see specification sections 2.1 and 9. */
export const PROTOCOL = 'service/a2a/v1'
export const NETWORK_VERSION = '0.1.0'

/** `agent://<agent_name>`, specification section 2.1. */
export const agentPattern = /^agent:\/\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Each booking has a workflow, visible in the Temporal UI. */
export const bookingWorkflowId = (bookingId: string): string => `booking/${bookingId}`

/** Each itinerary has a workflow, and so does each request with alternatives. */
export const groupWorkflowId = ({ id, kind }: { id: string; kind: string }): string =>
  `${kind === 'any_of' ? 'any-of' : 'itinerary'}/${id}`

/** Each waitlist entry has a workflow. */
export const waitlistWorkflowId = (entryId: string): string => `waitlist/${entryId}`

/** The booking id in a workflow id; null for other workflows. */
export const bookingIdOf = (workflowId: string): string | null =>
  /^booking\/(.+)$/.exec(workflowId)?.[1] ?? null

/** The lowest possible UUIDv7 for an instant; later ids are never lower. */
export function firstIdAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The time in a UUIDv7; null for ids of other versions. */
export function timeOfId(id: string): Date | null {
  if (id[14] !== '7') return null
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
