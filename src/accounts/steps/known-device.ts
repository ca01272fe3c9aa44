import { randomUUID } from 'node:crypto'
import { idOfLinkToken, linkToken } from '../../platform/sealing/link-tokens.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'

type Tokens = Pick<Sealer, 'tokens'>

type Owner = { id: string; password_hash: string }
const purposeOf = (owner: Owner) => `device of ${owner.id} ${owner.password_hash}`

/** A token for a browser in which a developer has signed in with their present password. */
export const deviceToken = (sealer: Tokens, owner: Owner): string =>
  linkToken(sealer, purposeOf(owner), randomUUID())

/** The id of the browser that a token is for, if made for this developer and password. */
export const deviceOf = (sealer: Tokens, owner: Owner, token: string | undefined) =>
  token === undefined ? undefined : idOfLinkToken(sealer, purposeOf(owner), token)
