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
  const id = uuidOf(bytes)
  const mac = bytes.subarray(ID_BYTES)
  const isOurs = (right: Buffer) => right.length === mac.length && timingSafeEqual(right, mac)
  return sealer.tokens(purpose, id).some(isOurs) ? id : undefined
}

/** The UUID in the first 16 bytes. */
const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex', 0, ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** The form of tokens made by `datedToken`: an id, the seconds of its issue, and a MAC. */
export const datedTokenPattern = /^[A-Za-z0-9_-]{72}$/
const MAC_AT = ID_BYTES + 6

/** A row's id, and what ends its tokens when it changes. */
type Bound = { id: string; boundTo: string }

const datedMacs = (sealer: Tokens, purpose: string, { id, boundTo }: Bound, seconds: number) =>
  sealer.tokens(purpose, `${id} ${seconds} ${boundTo}`)

/** Like `linkToken`, for tokens that end: `isDatedToken` says when. */
export function datedToken(sealer: Tokens, purpose: string, bound: Bound, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  const bytes = Buffer.alloc(MAC_AT)
  bytes.write(bound.id.replaceAll('-', ''), 'hex')
  bytes.writeUIntBE(seconds, ID_BYTES, MAC_AT - ID_BYTES)
  const [mac = Buffer.of()] = datedMacs(sealer, purpose, bound, seconds)
  return Buffer.concat([bytes, mac]).toString('base64url')
}

/** The id in a token of `datedTokenPattern`; proves nothing. */
export const idOfDatedToken = (token: string): string => uuidOf(Buffer.from(token, 'base64url'))

/** Whether a token of `datedTokenPattern` was made for this row as it is, within `lifeMs`. */
export function isDatedToken(
  sealer: Tokens,
  purpose: string,
  bound: Bound,
  { token, lifeMs, at }: { token: string; lifeMs: number; at: Date },
): boolean {
  const bytes = Buffer.from(token, 'base64url')
  const seconds = bytes.readUIntBE(ID_BYTES, MAC_AT - ID_BYTES)
  if (seconds * 1000 + lifeMs <= at.getTime()) return false
  const mac = bytes.subarray(MAC_AT)
  return datedMacs(sealer, purpose, bound, seconds).some(
    (right) => right.length === mac.length && timingSafeEqual(right, mac),
  )
}
