import type { Sealer } from '../platform/sealing/sealing.ts'

/** The context that links to a venue's page are sealed to: they open nothing else. */
const CONTEXT = 'venue-link'
const DAY_MS = 86_400_000

/** Whose page a link opens, when it was made and until when it is valid. */
export type VenueLink = { venueId: string; madeAt: Date; until: Date }

/**
 * The address of a venue's page, valid for `days`. Its token is sealed with the first key of
 * SECRETS_KEY: the link gives access to the page, and cannot be made or extended without the key.
 */
export function venueLink(
  sealer: Sealer,
  publicUrl: string,
  { venueId, days, at }: { venueId: string; days: number; at: Date },
): string {
  const times = [at.getTime(), at.getTime() + days * DAY_MS]
  return `${publicUrl}/venue/${sealer.seal([venueId, ...times].join(' '), CONTEXT)}`
}

/** The content of a token, undefined for a forged one. The caller checks whether it is valid. */
export function openVenueToken(sealer: Sealer, token: string): VenueLink | undefined {
  try {
    const [venueId = '', madeAt, until] = sealer.open(token, CONTEXT).split(' ')
    return { venueId, madeAt: new Date(Number(madeAt)), until: new Date(Number(until)) }
  } catch {
    return undefined
  }
}
