/**
 * The bytes of a text in base64url; undefined for another spelling than ours. `Buffer.from` ignores
 * other characters, so that endless texts would be the same token.
 */
export function bytesOfToken(token: string): Buffer | undefined {
  const bytes = Buffer.from(token, 'base64url')
  return bytes.toString('base64url') === token ? bytes : undefined
}
