import { idOfLinkToken, linkToken } from '../../platform/sealing/link-tokens.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'

const PURPOSE = 'venue-link'

type Tokens = Pick<Sealer, 'tokens'>

/** The address of a venue's page, which ends with the token of the link. */
export const venueLinkUrl = (sealer: Tokens, publicUrl: string, id: string): string =>
  `${publicUrl}/venue/${linkToken(sealer, PURPOSE, id)}`

/** The id of the link with this token; undefined if the token is invented. */
export const venueLinkId = (sealer: Tokens, token: string): string | undefined =>
  idOfLinkToken(sealer, PURPOSE, token)
