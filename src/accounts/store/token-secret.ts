import { createHash, randomBytes } from 'node:crypto'

/** A new token for a session or a mailed link: 32 random bytes. It exists in clear only here and with its holder. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** SHA-256 of a token, the only form that is stored; 32 random bytes need no slow hash. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
