import { defaultScopes } from '../../base/scopes.ts'

/** The addresses of the authorization server. */
export const oauthRoutes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  registration: '/oauth/register',
  jwks: '/oauth/jwks',
} as const
/** RFC 8414, 3. */
export const METADATA_PATH = '/.well-known/oauth-authorization-server'

/** The doors for which a token can be meant (RFC 8707). */
export const audiences = ['mcp', 'api'] as const
export type TokenAudience = (typeof audiences)[number]

/** Everything that an access token may allow: the scopes of a key, except creating keys. */
export const tokenScopes = defaultScopes

/** What a client gets that names no scope (RFC 6749, 3.3). */
export const USUAL_SCOPE = 'bookings'

/** The address of a protected resource (RFC 9728, 1.2). */
export const resourceOf = (publicUrl: string, audience: TokenAudience): string =>
  `${new URL(publicUrl).origin}/${audience}`

/** The door that a `resource` names; the MCP transports are one, and a slash changes nothing. */
export function audienceOf(publicUrl: string, resource: string): TokenAudience | undefined {
  const { href = '' } = URL.parse(resource) ?? {}
  const plain = href.replace(/\/$/, '').replace(/\/mcp\/sse$/, '/mcp')
  return audiences.find((audience) => resourceOf(publicUrl, audience) === plain)
}
