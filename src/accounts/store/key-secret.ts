import { hash, randomBytes } from 'node:crypto'
import { apiKeyPrefixes } from '../../base/ids.ts'
import type { AccountMode } from '../../contract/operation.ts'

/** A new API key: the prefix and 32 random bytes. Only its holder ever sees it in clear. */
export function newRawKey(mode: AccountMode = 'live'): string {
  return `${apiKeyPrefixes[mode]}${randomBytes(32).toString('base64url')}`
}

/** The SHA-256 hash to store; 32 random bytes need no slow hash. */
export function hashKey(raw: string): Buffer {
  return hash('sha256', raw, 'buffer')
}
