/**
 * The bytes of a base64url text; undefined unless it is spelled our way. `Buffer.from` ignores
 * other characters, so that countless texts would be the same token.
 */
export function bytesOfToken(token: string): Buffer | undefined {
  const bytes = Buffer.from(token, 'base64url')
  return bytes.toString('base64url') === token ? bytes : undefined
}
