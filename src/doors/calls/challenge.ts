import type { FastifyRequest } from 'fastify'
import { errorCatalogue } from '../../base/error-catalogue.ts'
import type { RefusalData } from '../../base/errors.ts'
import { USUAL_SCOPE } from '../../oauth/rules/resources.ts'

const descriptions = {
  invalid_token: 'Sign in to go on.',
  insufficient_scope: 'Sign in again and allow this too.',
}

/**
 * How a client signs in after a refusal (RFC 6750 section 3, RFC 9728 section 5.1): if a token is
 * missing or invalid, or lacks a scope, in which case `scope` lists all that it needs then.
 * undefined if signing in would not help. `mustSayWhy` gives an error to calls without a token too,
 * which hosts expect that read the challenge in a result.
 */
export function challengeOf(
  request: FastifyRequest,
  { code, facts }: RefusalData,
  publicUrl: string,
  mustSayWhy = false,
): string | undefined {
  const { keyHolder, headers, routeOptions } = request
  const isKeyless = headers.authorization === undefined
  const scope = String(facts.required_scope ?? USUAL_SCOPE)
  const canHelp = code === 'scope_required' && scope !== 'keys' && facts.role === undefined
  const isStepUp = canHelp && keyHolder?.grant_id != null
  const isUnpaid = isKeyless && errorCatalogue[code].status === 402
  if (code !== 'unauthenticated' && !isStepUp && !isUnpaid) return undefined
  const path = /^\/mcp(?=\/|$)/.exec(routeOptions.url ?? '')?.[0] ?? '/api'
  const scopes = new Set(isStepUp ? [...keyHolder.scopes, scope] : [scope])
  const error = isStepUp ? 'insufficient_scope' : 'invalid_token'
  const fields = {
    ...((isStepUp || !isKeyless || mustSayWhy) && {
      error,
      error_description: descriptions[error],
    }),
    resource_metadata: `${publicUrl}/.well-known/oauth-protected-resource${path}`,
    scope: [...scopes].join(' '),
  }
  const parameters = Object.entries(fields).map(([name, value]) => `${name}="${value}"`)
  return `Bearer ${parameters.join(', ')}`
}
