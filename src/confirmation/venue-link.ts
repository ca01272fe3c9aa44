import type { Sealer } from '../platform/sealing/sealing.ts'

/** What a link to a venue's page is sealed to: it opens nothing else. */
const CONTEXT = 'venue-link'
const DAY_MS = 86_400_000

/** Whose page a link opens, when it was made and until when it is good. */
export type VenueLink = { venueId: string; madeAt: Date; until: Date }

/**
 * The address of a venue's page, good for `days`. Its token is sealed with the first key of SECRETS_KEY: whoever has the link has the
 * page, and nobody can make or prolong one without the key.
 */
export function venueLink(
  sealer: Sealer,
  publicUrl: string,
  { venueId, days, at }: { venueId: string; days: number; at: Date },
): string {
  const times = [at.getTime(), at.getTime() + days * DAY_MS]
  return `${publicUrl}/venue/${sealer.seal([venueId, ...times].join(' '), CONTEXT)}`
}

/** What a token stands for; undefined for one that was never made here. Whether it is still good is for the caller to judge. */
export function openVenueToken(sealer: Sealer, token: string): VenueLink | undefined {
  try {
    const [venueId = '', madeAt, until] = sealer.open(token, CONTEXT).split(' ')
    return { venueId, madeAt: new Date(Number(madeAt)), until: new Date(Number(until)) }
  } catch {
    return undefined
  }
}
