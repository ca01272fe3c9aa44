import { hash, randomBytes } from 'node:crypto'
import { API_KEY_PREFIX } from '../../contract/rules/ids.ts'

/**
 * A new API key: 32 random bytes behind the prefix. It exists in clear only here and with its
 * holder.
 */
export function newRawKey(): string {
  return `${API_KEY_PREFIX}${randomBytes(32).toString('base64url')}`
}

/** SHA-256 of a raw key, the only form that is stored; 32 random bytes need no slow hash. */
export function hashKey(raw: string): Buffer {
  return hash('sha256', raw, 'buffer')
}
