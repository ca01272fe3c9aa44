import { randomUUID } from 'node:crypto'
import { idOfLinkToken, linkToken } from '../../platform/sealing/link-tokens.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'

type Tokens = Pick<Sealer, 'tokens'>

const purposeOf = (developerId: string) => `device of ${developerId}`

/** A token for a browser in which a developer has signed in. */
export const deviceToken = (sealer: Tokens, developerId: string): string =>
  linkToken(sealer, purposeOf(developerId), randomUUID())

/** The id of the browser that a token is for, if this developer has signed in with it. */
export const deviceOf = (sealer: Tokens, developerId: string, token: string | undefined) =>
  token === undefined ? undefined : idOfLinkToken(sealer, purposeOf(developerId), token)
