/**
 * The bytes of a base64url text; undefined unless we would spell it this way. `Buffer.from` ignores
 * other characters, so countless texts would decode to the same token.
 */
export function bytesOfToken(token: string): Buffer | undefined {
  const bytes = Buffer.from(token, 'base64url')
  return bytes.toString('base64url') === token ? bytes : undefined
}
