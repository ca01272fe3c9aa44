import { timingSafeEqual } from 'node:crypto'
import type { Sealer } from '../platform/sealing/sealing.ts'

const ID_BYTES = 16
const PURPOSE = 'venue-link'

type Tokens = Pick<Sealer, 'tokens'>

/**
 * The address of a venue's page. Its token is the id of the link's row with a MAC under a sub-key
 * of SECRETS_KEY: it cannot be made from what the database holds, and ends with the row.
 */
export function venueLinkUrl(sealer: Tokens, publicUrl: string, id: string): string {
  const [mac] = sealer.tokens(PURPOSE, id)
  if (!mac) throw new Error('there is no key to make links with')
  const bytes = Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), mac])
  return `${publicUrl}/venue/${bytes.toString('base64url')}`
}

/** The id of the link with this token; undefined for a token that was made up. */
export function venueLinkId(sealer: Tokens, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url')
  const hex = bytes.subarray(0, ID_BYTES).toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const mac = bytes.subarray(ID_BYTES)
  const isOurs = (right: Buffer) => right.length === mac.length && timingSafeEqual(right, mac)
  return sealer.tokens(PURPOSE, id).some(isOurs) ? id : undefined
}
