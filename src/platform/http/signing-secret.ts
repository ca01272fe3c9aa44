import { randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const NEW_BYTES = 32
const MIN_BYTES = 24
const MAX_BYTES = 64

/** A new signing secret, `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(NEW_BYTES).toString('base64')
}

/**
 * The key of a signing secret: 24 to 64 bytes behind `whsec_`; undefined for anything else. Base64
 * may lack its padding; nothing else may be wrong with it.
 */
export function parseSigningSecret(secret: string): Buffer | undefined {
  if (!secret.startsWith(PREFIX)) return undefined
  const text = secret.slice(PREFIX.length).replace(/={1,2}$/, '')
  const key = Buffer.from(text, 'base64')
  if (key.toString('base64').replace(/=+$/, '') !== text) return undefined
  return key.length >= MIN_BYTES && key.length <= MAX_BYTES ? key : undefined
}
