import { createPrivateKey } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import {
  type Client,
  errors,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import { hashKey } from '../../accounts/store/key-secret.ts'
import { newToken } from '../../accounts/store/token-secret.ts'
import { tokenPrefixes } from '../../base/ids.ts'
import type { Config } from '../../config/config.ts'
import { kindOf, metadataFault, REGISTERED_PREFIX } from '../../oauth/rules/clients.ts'
import {
  audienceOf,
  METADATA_PATH,
  oauthRoutes,
  resourceOf,
  tokenScopes,
  USUAL_SCOPE,
} from '../../oauth/rules/resources.ts'
import { createAdapter } from '../../oauth/steps/adapter.ts'
import { endGrant } from '../../oauth/steps/end-grant.ts'
import { selectOptionalClient } from '../../oauth/store/clients.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Outbound } from '../../platform/http/client.ts'
import type { SendMail } from '../../platform/mail/send-mail.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import { createFindHolder } from '../guards/authentication.ts'
import { keepFault, keepFromStrangers } from './faults.ts'
import { createFetchDocument, documentCache } from './fetch-document.ts'

export type AuthorizationServerDeps = {
  db: Pool
  sealer: Sealer
  sendMail: SendMail
  log: Log
  outbound: Outbound
  publicUrl: string
  config: Pick<Config, 'OAUTH_ACCESS_MINUTES' | 'OAUTH_REFRESH_DAYS'>
}

/** How long a person may take to consent. */
const CONSENT_SECONDS = 3_600
const CODE_SECONDS = 60
const grantTypes: readonly unknown[] = ['authorization_code', 'refresh_token']
const SIGNING_ALGORITHM = 'EdDSA'

/**
 * OAuth 2.1 on oidc-provider: authorization code with PKCE (S256, the only method it knows),
 * rotated refresh tokens, opaque access tokens for one resource, client id metadata documents
 * first. It is no OpenID provider: it tells no client who a person is.
 */
export function createAuthorizationServer(deps: AuthorizationServerDeps): Provider {
  const { db, sealer, log, outbound, publicUrl, config } = deps
  const { origin, protocol } = new URL(publicUrl)
  const accessSeconds = config.OAUTH_ACCESS_MINUTES * 60
  const prefix = protocol === 'https:' ? '__Secure-' : ''
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true } as const
  const provider = new Provider(origin, {
    adapter: createAdapter({
      db,
      sealer,
      publicUrl,
      endGrant: (id) =>
        endGrant(deps, id, Provider.ctx?.oidc?.route === 'revocation' ? 'client' : 'replay'),
    }),
    routes: oauthRoutes,
    fetch: createFetchDocument(outbound, db) as typeof fetch,
    jwks: { keys: signingKeys(sealer) },
    cookies: {
      // Their paths keep requests in two tabs apart, which `__Host-` does not allow.
      names: {
        session: `${prefix}oauth_session`,
        interaction: `${prefix}oauth_request`,
        resume: `${prefix}oauth_answer`,
      },
      keys: sealer.tokens('oauth cookies', '').map((key) => key.toString('base64url')),
      short: cookie,
      long: cookie,
    },
    scopes: ['offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    pkce: { required: () => true },
    sectorIdentifierUriValidate: () => false,
    clientBasedCORS: () => true,
    findAccount: async (_, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    rotateRefreshToken: true,
    enabledJWA: {
      idTokenSigningAlgValues: [SIGNING_ALGORITHM],
      clientAuthSigningAlgValues: [SIGNING_ALGORITHM, 'ES256', 'RS256', 'PS256'],
    },
    clientDefaults: {
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: SIGNING_ALGORITHM,
    },
    extraClientMetadata: { properties: ['software_id'], validator: checkMetadata },
    ttl: {
      AccessToken: accessSeconds,
      AuthorizationCode: CODE_SECONDS,
      Grant: config.OAUTH_REFRESH_DAYS * 86_400,
      Interaction: CONSENT_SECONDS,
      RefreshToken: config.OAUTH_REFRESH_DAYS * 86_400,
      Session: CONSENT_SECONDS,
    },
    interactions: { policy: alwaysAsk(), url: (_, { uid }) => `/oauth/consent/${uid}` },
    features: {
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: documentCache,
        // Only a person's browser makes us read an address that nobody has consented to; `resume`
        // is its way back. There is no context on the consent page.
        allowFetch: async (ctx: KoaContextWithOIDC | undefined, id) =>
          ctx === undefined ||
          ['authorization', 'resume'].includes(ctx.oidc.route) ||
          !!(await selectOptionalClient(db, id)),
      },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      introspection: { enabled: true, allowedPolicy: (_, client) => mayIntrospect(client) },
      pushedAuthorizationRequests: { enabled: false },
      registration: {
        enabled: true,
        issueRegistrationAccessToken: false,
        idFactory: () => `${REGISTERED_PREFIX}${newToken().slice(0, 22)}`,
        secretFactory: () => newToken(),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_, _client, oneOf) => oneOf ?? resourceOf(publicUrl, 'mcp'),
        getResourceServerInfo: (_, resource) => {
          const audience = audienceOf(publicUrl, resource)
          if (!audience) throw new errors.InvalidTarget('unknown resource')
          return {
            scope: tokenScopes.join(' '),
            audience: resourceOf(publicUrl, audience),
            accessTokenFormat: 'opaque',
            accessTokenTTL: accessSeconds,
          }
        },
        useGrantedResource: () => true,
      },
      revocation: {
        enabled: true,
        allowedPolicy: async (_, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    renderError: (ctx, out) => {
      keepFault(ctx, out)
    },
  })
  // The protocol and host come from PUBLIC_URL: the door sets these headers for every request.
  provider.proxy = true
  nameTokens(provider)
  provider.on('server_error', (_, error) => log.error({ error: loggable(error) }, 'OAuth failed'))
  const emitter: EventEmitter = provider
  emitter.on('error', (error: unknown) => log.error({ error: loggable(error) }, 'OAuth failed'))
  const findHolder = createFindHolder(db)
  /** RFC 7662, 2.2: what a token allows now, as our own doors would see it. */
  const introspected = async (body: object, token: unknown) => {
    const holder = await findHolder(hashKey(String(token)))
    if (!holder || holder.suspended_reason != null) return { active: false }
    const { id: account_id, mode, scopes } = holder
    return { ...body, scope: scopes.join(' ') || undefined, account_id, mode }
  }
  provider.use(async (ctx, next) => {
    // Its address below, to which answers lead, reads a request without an answer in the same way.
    const isAuthorization = ctx.path.startsWith(oauthRoutes.authorization)
    if (isAuthorization) ctx.query = plainRequest(ctx.query)
    await next()
    if (isAuthorization) keepFromStrangers(ctx as KoaContextWithOIDC)
    if (ctx.path === oauthRoutes.introspection && (ctx.body as { active?: boolean })?.active)
      ctx.body = await introspected(ctx.body as object, ctx.oidc.params?.token)
    if (ctx.path === METADATA_PATH && ctx.status === 200) ctx.body = plainMetadata(ctx.body)
    const cookies = [ctx.response.get('set-cookie')].flat().filter(Boolean)
    const kept = cookies.filter((one) => !one.startsWith(`${prefix}oauth_session`))
    if (kept.length < cookies.length) ctx.set('set-cookie', kept)
  })
  return provider
}

/** Every request asks for consent anew; `prompt=none` therefore always fails. */
function alwaysAsk() {
  const { Prompt, Check } = interactionPolicy
  const check = new Check('always', 'consent is required', 'consent_required', (ctx) =>
    ctx.oidc.result?.consent ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  )
  return [new Prompt({ name: 'consent', requestable: true }, check)]
}

/**
 * Reads a request as OAuth: OpenID's parameters mean nothing here, unknown scopes are ignored (RFC
 * 6749, 3.3), and each answer comes in the query.
 */
function plainRequest(query: KoaContextWithOIDC['query']): KoaContextWithOIDC['query'] {
  const { nonce, max_age, acr_values, claims, claims_locales, id_token_hint, ...rest } = query
  const { response_mode, scope = '', prompt, ...plain } = rest
  if (Array.isArray(scope) || Array.isArray(prompt)) return rest
  const scopes = tokenScopes.filter((one) => scope.split(' ').includes(one))
  return {
    ...plain,
    scope: [...(scopes.length > 0 ? scopes : [USUAL_SCOPE]), 'offline_access'].join(' '),
    prompt: prompt === 'none' ? 'none' : 'consent',
  }
}

/** RFC 8414 metadata without OpenID's members. */
function plainMetadata(metadata: unknown): Record<string, unknown> {
  const own = Object.entries(metadata as object).filter(([name]) => !openIdMember.test(name))
  return {
    ...Object.fromEntries(own),
    scopes_supported: [...tokenScopes, 'offline_access'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
  }
}
const openIdMember = /^(claims?_|subject_types|id_token_|request_(uri_)?parameter|end_session)/

/** Changes metadata to what we support, and refuses what could send a code to the wrong place. */
function checkMetadata(
  _ctx: unknown,
  _key: string,
  _value: unknown,
  metadata: Record<string, unknown>,
): void {
  for (const name of ['scope', 'default_max_age', 'default_acr_values', 'require_auth_time']) {
    delete metadata[name]
  }
  metadata.id_token_signed_response_alg = SIGNING_ALGORITHM
  // oidc-provider gives every client a secret that does not say `none` itself.
  if (metadata.token_endpoint_auth_method === 'none') {
    delete metadata.client_secret
    delete metadata.client_secret_expires_at
  }
  const { grant_types } = metadata
  if (Array.isArray(grant_types)) {
    metadata.grant_types = grant_types.filter((type) => grantTypes.includes(type))
  }
  const fault = metadataFault(metadata)
  if (fault) throw new errors.InvalidClientMetadata(fault)
}

/** Only operators' own programs, which sign nobody in, may look at the tokens of others. */
const mayIntrospect = ({ clientId, grantTypes }: Client): boolean =>
  kindOf(clientId) === 'predefined' && grantTypes?.length === 0

/** Prefixes by which tokens are recognised, and removed from whatever is recorded. */
function nameTokens({ AccessToken, RefreshToken }: Provider): void {
  const name = ({ prototype }: { prototype: object }, prefix: string) => {
    const { generateTokenId } = prototype as { generateTokenId(): string }
    const value = function (this: unknown) {
      return prefix + generateTokenId.call(this)
    }
    Object.defineProperty(prototype, 'generateTokenId', { value })
  }
  name(AccessToken, tokenPrefixes.access)
  name(RefreshToken, tokenPrefixes.refresh)
}

/** The ASN.1 that precedes the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410, 7). */
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Signing keys derived from SECRETS_KEY, the current one first, so that all processes have the same
 * and they change with it. Nothing is signed yet: tokens are opaque.
 */
const signingKeys = (sealer: Sealer): JWK[] =>
  sealer.tokens('oauth signing', '').map((seed) => {
    const key = Buffer.concat([ED25519, seed])
    const jwk = createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' })
    return { ...jwk, use: 'sig', alg: SIGNING_ALGORITHM } as JWK
  })
