import { createHash, randomBytes } from 'node:crypto'

/** A program that signs people in: it registers, and knows where it sends them. */
export type OAuthClient = {
  clientId: string
  /** the path and query to which it sends a person's browser */
  authorize: string
  /** Exchanges a code for tokens. */
  exchange(code: string): Promise<{ access_token: string; refresh_token: string }>
}

type Wishes = { redirect?: string; scope?: string; name?: string; door?: 'api' | 'mcp' }

/** Registers a client and prepares its request, with PKCE (RFC 7636). */
export async function openOAuthClient(
  url: string,
  {
    redirect = 'https://claude.ai/api/callback',
    scope = 'bookings',
    name = 'Claude',
    door = 'api',
  }: Wishes = {},
): Promise<OAuthClient> {
  const protectedResource = await fetch(`${url}/.well-known/oauth-protected-resource/${door}`)
  const { resource } = (await protectedResource.json()) as { resource: string }
  const registered = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
    }),
  })
  const { client_id: clientId } = (await registered.json()) as { client_id: string }
  const verifier = randomBytes(32).toString('base64url')
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    scope,
    resource,
    state: 'its-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return {
    clientId,
    authorize: `/oauth/authorize?${request}`,
    async exchange(code) {
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        redirect_uri: redirect,
        code_verifier: verifier,
      })
      const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body })
      return (await answer.json()) as { access_token: string; refresh_token: string }
    },
  }
}
