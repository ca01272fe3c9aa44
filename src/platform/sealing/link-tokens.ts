import { timingSafeEqual } from 'node:crypto'
import { bytesOfToken } from './one-spelling.ts'
import type { Sealer } from './sealing.ts'

const ID_BYTES = 16

type Tokens = Pick<Sealer, 'tokens'>

/**
 * A link's token: a row's UUID and a MAC made with a sub-key of SECRETS_KEY, so that the database
 * alone is not enough to make one. Each purpose has its own tokens.
 */
export function linkToken(sealer: Tokens, purpose: string, id: string): string {
  const [mac] = sealer.tokens(purpose, id)
  if (!mac) throw new Error('there is no key to make links with')
  return Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), mac]).toString('base64url')
}

/** The id in a token; undefined if the token is forged or spelled differently. */
export function idOfLinkToken(sealer: Tokens, purpose: string, token: string): string | undefined {
  const bytes = bytesOfToken(token)
  if (!bytes) return undefined
  const hex = bytes.subarray(0, ID_BYTES).toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const mac = bytes.subarray(ID_BYTES)
  const isOurs = (right: Buffer) => right.length === mac.length && timingSafeEqual(right, mac)
  return sealer.tokens(purpose, id).some(isOurs) ? id : undefined
}
