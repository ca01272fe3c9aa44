import { DAY_MS } from '../../base/durations.ts'
import {
  datedToken,
  idOfLinkToken,
  isDatedToken,
  linkToken,
} from '../../platform/sealing/link-tokens.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'

type Tokens = Pick<Sealer, 'tokens'>

/** An invitation works once, and for this long. */
export const INVITATION_DAYS = 7
const INVITATION = 'venue-invitation'

/** The address at which an invited person joins a venue. */
export const invitationUrl = (sealer: Tokens, publicUrl: string, invitationId: string): string =>
  `${publicUrl}/venue/join/${linkToken(sealer, INVITATION, invitationId)}`

/** The invitation of a token; undefined if the token is invented. */
export const invitationIdOf = (sealer: Tokens, token: string): string | undefined =>
  idOfLinkToken(sealer, INVITATION, token)

/** A person stays signed in on a device for this long, unless they are removed or get a new PIN. */
export const SIGNED_IN_DAYS = 90
const SIGNED_IN = 'venue-person'

type Holder = { id: string; pin_hash: string | null }
const boundOf = ({ id, pin_hash }: Holder) => ({ id, boundTo: pin_hash ?? '' })

/** What a device keeps of a person who gave their PIN. Without the keys, nobody can make one. */
export const personToken = (sealer: Tokens, person: Holder, at: Date): string =>
  datedToken(sealer, SIGNED_IN, boundOf(person), at)

/** Whether a device's token is this person's, issued for their present PIN, and not too old. */
export const isPersonToken = (sealer: Tokens, person: Holder, token: string, at: Date): boolean =>
  person.pin_hash !== null &&
  isDatedToken(sealer, SIGNED_IN, boundOf(person), { token, lifeMs: SIGNED_IN_DAYS * DAY_MS, at })
