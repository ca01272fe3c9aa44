import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client, Provider } from 'oidc-provider'
import { refuse } from '../../base/errors.ts'
import type { Scope } from '../../base/scopes.ts'
import { type ShownClient, showClient } from '../../oauth/rules/clients.ts'
import { tokenScopes } from '../../oauth/rules/resources.ts'
import { ANSWERED, startGrant } from '../../oauth/steps/start-grant.ts'
import { selectOptionalEarlier } from '../../oauth/store/grants.ts'
import { addressOf } from '../guards/allowance.ts'
import type { AuthorizationServerDeps } from './authorization-server.ts'

/** A client's request that waits for a person's consent. */
export type AuthorizationRequest = {
  uid: string
  client: ShownClient & {
    /** whether its name or addresses differ from those to which the person last agreed */
    isChanged: boolean
  }
  scopes: readonly Scope[]
  /** the account for which the person last allowed at least this */
  earlier: { account_id: string; mode: 'live' | 'test' } | undefined
}

type Consent = { developerId: string; accountId: string; scopes: readonly Scope[] }

/** The authorization server, and the steps of its consent page. */
export type OAuth = ReturnType<typeof createOAuth>

/** The authorization server. oidc-provider, 48 MB, is loaded by the first request that needs it. */
export function createOAuth(deps: AuthorizationServerDeps) {
  const load = async () => {
    const { createAuthorizationServer } = await import('./authorization-server.ts')
    const provider = createAuthorizationServer(deps)
    return { provider, serve: provider.callback() }
  }
  let opening: ReturnType<typeof load> | undefined
  const open = () => {
    opening ??= load()
    return opening
  }
  return { open, ...createInteractions(open, deps) }
}

/**
 * Steps of the consent page at `/oauth/consent/:uid`, for the request of the browser that opened
 * it, which a signed cookie proves. Those that answer return where to send the browser.
 */
function createInteractions(
  open: () => Promise<{ provider: Provider }>,
  { db, sealer }: AuthorizationServerDeps,
) {
  const find = async ({ raw }: FastifyRequest, reply: FastifyReply) => {
    const { provider } = await open()
    try {
      const { uid, params } = await provider.interactionDetails(raw, reply.raw)
      const client = await provider.Client.find(String(params.client_id))
      return client && { uid, params, client, provider }
    } catch (error) {
      const { errors } = await import('oidc-provider')
      // Without its cookie, or if its client can no longer be read.
      if (error instanceof errors.OIDCProviderError) return undefined
      throw error
    }
  }
  const requireWaiting = async (request: FastifyRequest, reply: FastifyReply) => {
    const waiting = await find(request, reply)
    if (!waiting) throw refuse('authorization_refused', ANSWERED)
    return waiting
  }

  return {
    /** null if the request has expired, was answered, or belongs to another browser */
    async readAuthorizationRequest(
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<AuthorizationRequest | null> {
      const waiting = await find(request, reply)
      if (!waiting) return null
      const { uid, params, client } = waiting
      const { developer } = request
      const scopes = scopesOf(params)
      const shown = showClient(client, String(params.redirect_uri))
      const { id: clientId, redirectUri } = shown
      const asked = { clientId, redirectUri, scopes, resources: resourcesOf(params) }
      const earlier =
        developer && (await selectOptionalEarlier(db, { ...asked, developerId: developer.id }))
      const isChanged = earlier ? !earlier.client_hash.equals(hashOf(client)) : false
      return {
        ...{ uid, scopes, client: { ...shown, isChanged } },
        earlier: earlier?.covers ? earlier : undefined,
      }
    },
    /** Throws `authorization_refused` without a request. */
    async approve(
      request: FastifyRequest,
      reply: FastifyReply,
      { scopes, ...consent }: Consent,
    ): Promise<string> {
      const { uid, params, client, provider } = await requireWaiting(request, reply)
      const { name, redirectUri } = showClient(client, String(params.redirect_uri))
      const asked = scopesOf(params)
      const grantId = await startGrant(
        { db, sealer },
        {
          ...consent,
          client: {
            id: client.clientId,
            name,
            metadata: { ...client.metadata(), client_name: name },
            hash: hashOf(client),
          },
          scopes: asked.filter((scope) => scopes.includes(scope)),
          resources: resourcesOf(params),
          ...{ redirectUri, uid },
          by: { door: 'dashboard', address: addressOf(request), requestId: request.id },
        },
      )
      const login = { accountId: consent.developerId, remember: false }
      return provider.interactionResult(request.raw, reply.raw, { login, consent: { grantId } })
    },
    /** Throws `authorization_refused` without a request. */
    async deny(request: FastifyRequest, reply: FastifyReply): Promise<string> {
      const { provider } = await requireWaiting(request, reply)
      const error_description = 'The person did not allow it.'
      const refusal = { error: 'access_denied', error_description }
      return provider.interactionResult(request.raw, reply.raw, refusal)
    },
  }
}

const resourcesOf = ({ resource }: Record<string, unknown>): string[] => [
  ...new Set([resource].flat().map(String)),
]

const scopesOf = ({ scope }: Record<string, unknown>): Scope[] =>
  tokenScopes.filter((one) => String(scope).split(' ').includes(one))

/** What people see of a client: if it changes, they are told. */
const hashOf = ({ clientName, redirectUris = [] }: Client): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([clientName, redirectUris.toSorted()]))
    .digest()
