import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { catalogue } from '../../network.ts'

/** Documents that pages from any origin may read, because none depends on the caller. */
const openDocuments = new RegExp(
  '^/(\\.well-known/|agents/|openapi\\.json$|llms(-full)?\\.txt$|robots\\.txt$|sitemap|status$|' +
    'errors|docs|venues)',
)
const doors = /^\/(api|a2a|mcp)(\/|$)/
const openReads = new Set(
  catalogue
    .filter(({ operation, rest }) => (rest.tier ?? operation.tier) === 'open')
    .filter(({ rest }) => rest.route.startsWith('GET '))
    .map(({ rest }) => rest.route.slice('GET '.length).replaceAll(/\{(\w+)\}/g, ':$1')),
)

const MAX_AGE_SECONDS = 600
/** Chromium and Firefox let pages read only a few headers unless the response exposes more. */
const exposedHeaders = [
  ...['Deprecation', 'ETag', 'Idempotent-Replayed', 'Link', 'Location', 'RateLimit'],
  ...['RateLimit-Policy', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
  ...['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'],
]
const shared = { maxAge: MAX_AGE_SECONDS, exposedHeaders, strictPreflight: false }
/** Pages from other origins cannot manage keys. */
const anyOrigin = {
  ...shared,
  origin: '*',
  methods: ['GET', 'HEAD'],
  allowedHeaders: ['Accept', 'If-None-Match', 'Traceparent', 'MCP-Protocol-Version'],
}
/** Clients in pages of any origin get their tokens here; what they send proves who they are. */
const tokenRoutes = /^\/oauth\/(token|revoke|register|jwks)$/
const forClients = { ...shared, origin: '*', methods: ['GET', 'POST'] }
const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']
const none = { origin: false }

/**
 * Cross-origin reads and preflights (Fetch standard, CORS protocol). Pages from any origin may use
 * open documents, open reads and the endpoints for OAuth clients; only origins that the operator
 * allows may use the doors for agents. Pages that need a session are readable from no other origin.
 * Cookies are never allowed.
 */
export async function allowOrigins(app: FastifyInstance, isAllowed: (origin: string) => boolean) {
  await app.register(cors, {
    delegator: (request, done) => done(null, optionsFor(request, isAllowed)),
  })
}

function optionsFor(request: FastifyRequest, isAllowed: (origin: string) => boolean) {
  const { origin } = request.headers
  const { url = '' } = request.routeOptions
  if (origin !== undefined && doors.test(url) && isAllowed(origin)) {
    return { ...shared, origin, methods }
  }
  if (tokenRoutes.test(url)) return forClients
  const method = request.headers['access-control-request-method'] ?? request.method
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && (openReads.has(url) || openDocuments.test(url)) ? anyOrigin : none
}
