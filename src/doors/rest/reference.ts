import type { FastifyHelmetOptions } from '@fastify/helmet'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { networkProfile } from '../../model/network.ts'
import { API_KEY, openApiDocument } from './openapi.ts'

// The reference brings its own inline styles and start script; it speaks to this server only.
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", "'unsafe-inline'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
} satisfies FastifyHelmetOptions['contentSecurityPolicy']

/** `/openapi.json`, made once, and `/reference`: the same as pages, with a playground. */
export async function reference(scope: FastifyInstance) {
  const document = JSON.stringify(openApiDocument())

  scope.get('/openapi.json', async (_, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  )

  scope.register(async (pages) => {
    pages.addHook('onRequest', async (_, reply) => {
      await reply.helmet({ contentSecurityPolicy })
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
