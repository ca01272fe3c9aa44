import { MINUTE_MS } from '../../base/durations.ts'

/** How long a session may lack its second factor, and how long a proof of identity counts. */
export const PROOF_MINUTES = 10

/** The earliest proof of identity that still permits changes to how a developer signs in. */
export const provedSince = (at: Date): Date => new Date(at.getTime() - PROOF_MINUTES * MINUTE_MS)

export const MAX_PASSKEYS = 20
export const RECOVERY_CODES = 10

/** A code without the blanks, hyphens and capitals that people add to it. */
export const plainCode = (text: string): string => text.replace(/[\s-]/g, '').toLowerCase()

export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code)

/**
 * Where this server's passkeys are valid (WebAuthn, 5.1.2: a domain, in a secure context);
 * undefined at an address that can have none.
 */
export function relyingPartyOf(publicUrl: string): { id: string; origin: string } | undefined {
  const { hostname, origin, protocol } = new URL(publicUrl)
  if (/^\[|^[\d.]+$/.test(hostname)) return undefined
  return protocol === 'https:' || hostname === 'localhost' ? { id: hostname, origin } : undefined
}

type Membership = { has_factor: boolean; requires_factor: boolean }

/** Whether a member may open nothing of the account until they have added a second factor. */
export const lacksFactor = (developer: Membership): boolean =>
  developer.requires_factor && !developer.has_factor
