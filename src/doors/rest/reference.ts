import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { networkProfile } from '../../contract/rules/network.ts'
import { contentPolicy } from '../content-policy.ts'
import { API_KEY, openApiDocument } from './openapi.ts'

// The reference has inline styles and an inline start script; it calls this server only.
const policy = contentPolicy(
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
)

/** `/openapi.json`, made once, and `/reference`: the same document as pages, with a playground. */
export async function reference(scope: FastifyInstance) {
  const document = JSON.stringify(openApiDocument())

  scope.get('/openapi.json', async (_, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  )

  scope.register(async (pages) => {
    pages.addHook('onRequest', async (_, reply) => {
      reply.header('content-security-policy', policy)
    })
    await pages.register(scalar, {
      routePrefix: '/reference',
      configuration: {
        url: '/openapi.json',
        pageTitle: `${networkProfile.name}: API reference`,
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
        authentication: { preferredSecurityScheme: API_KEY },
      },
    })
  })
}
