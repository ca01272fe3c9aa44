import { createHash, randomBytes } from 'node:crypto'

/** A new token for a session or an emailed link: 32 random bytes, known only to its holder. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The SHA-256 hash to store; 32 random bytes need no slow hash. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
