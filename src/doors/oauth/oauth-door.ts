import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import { audiences, METADATA_PATH, oauthRoutes, tokenScopes } from '../../oauth/rules/resources.ts'
import { throttle } from '../../platform/database/throttle.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { addressOf, requireGranted } from '../guards/allowance.ts'
import { copyHeaders } from '../http/open-streams.ts'
import { serveDocument } from '../http/prepared-document.ts'
import { JSON_TYPE } from '../http/send-document.ts'
import { type Fault, faultOf } from './faults.ts'

/** RFC 9728, 3.1: the path of the resource follows. */
const RESOURCE_PATH = '/.well-known/oauth-protected-resource'
const SECONDS_PER_DAY = 86_400

/**
 * The authorization server (OAuth 2.1). Its metadata and endpoints are answered by oidc-provider,
 * behind our limits; the consent page is among the pages.
 */
export async function oauthDoor(scope: FastifyInstance, deps: DoorDeps) {
  const { config, guards, publicUrl, services, oauth } = deps
  const { host, protocol } = new URL(publicUrl)
  // Bodies stay in the stream, for oidc-provider.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))

  for (const audience of [...audiences, 'mcp/sse', ''] as const) {
    const path = `${RESOURCE_PATH}${audience && `/${audience}`}`
    serveDocument(scope, path, JSON_TYPE, () => resourceMetadata(publicUrl, audience || 'mcp'))
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { raw } = request
    // Addresses in answers are those of PUBLIC_URL, whatever a client claims.
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    raw.headers['x-forwarded-host'] = host
    const { serve } = await oauth.open()
    copyHeaders(reply)
    await serve(raw, reply.raw)
    const fault = faultOf(raw)
    if (fault) throw refuse('authorization_refused', faultWords(fault))
    reply.hijack()
  }
  const limitAddress = async (request: FastifyRequest) => {
    guards.admit()
    requireGranted(await guards.limitAddress(request))
  }
  /** Registration costs a row before anybody has signed in. */
  const limitRegistrations = async (request: FastifyRequest) => {
    const most = config.OAUTH_REGISTRATIONS_PER_DAY
    const limit = { name: 'oauth registrations', most, windowSeconds: SECONDS_PER_DAY }
    await throttle(services.db, limit, addressOf(request), new Date())
  }

  /** Failures alone count, because all users of a hosted assistant come from its addresses. */
  const limitFailures = async (request: FastifyRequest) => {
    guards.admit()
    guards.tokenFailures.refuseBlocked(request)
  }
  const answerToken = async (request: FastifyRequest, reply: FastifyReply) => {
    await answer(request, reply)
    if (reply.raw.statusCode >= 400) await guards.tokenFailures.failed(request).catch(() => {})
  }

  const admit = { onRequest: async () => guards.admit() }
  const limited = { onRequest: limitAddress }
  const { authorization, token, revocation, introspection, registration, jwks } = oauthRoutes
  scope.get(METADATA_PATH, admit, answer)
  scope.get(jwks, admit, answer)
  scope.get(authorization, limited, answer)
  scope.get(`${authorization}/:uid`, limited, answer)
  for (const route of [token, revocation, introspection]) {
    scope.post(route, { onRequest: limitFailures }, answerToken)
  }
  scope.post(registration, { onRequest: [limitAddress, limitRegistrations] }, answer)
}

const faultWords = ({ error, error_description }: Fault) =>
  `The program sent a request that we cannot answer: ${error_description ?? error}.${
    error === 'invalid_client'
      ? ' If it worked before, remove this network from the program and add it again.'
      : ''
  }`

/** RFC 9728, 2. */
const resourceMetadata = (publicUrl: string, path: 'mcp' | 'api' | 'mcp/sse'): string =>
  JSON.stringify({
    resource: `${new URL(publicUrl).origin}/${path}`,
    authorization_servers: [new URL(publicUrl).origin],
    scopes_supported: tokenScopes,
    bearer_methods_supported: ['header'],
    resource_name: path === 'api' ? 'Venue Network API' : 'Venue Network for assistants',
    resource_documentation: `${publicUrl}/docs/oauth`,
  })
