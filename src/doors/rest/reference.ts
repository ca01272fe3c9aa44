import { createHash } from 'node:crypto'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { networkProfile } from '../../contract/rules/network.ts'
import { contentPolicy } from '../content-policy.ts'
import { API_KEY, openApiDocument } from './openapi.ts'

const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/**
 * For the reference, which calls this server only. It has inline styles and an inline start script:
 * of scripts, those of this page alone run.
 */
function policyOf(page: string): string {
  const hashes = [...page.matchAll(inlineScript)].map(([, script = '']) => {
    return ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`
  })
  return contentPolicy(
    "default-src 'none'",
    `script-src 'self'${hashes.join('')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  )
}

/** `/openapi.json`, made once, and `/reference`: the same document as pages, with a playground. */
export async function reference(scope: FastifyInstance) {
  const document = JSON.stringify(openApiDocument())

  scope.get('/openapi.json', async (_, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  )

  scope.register(async (pages) => {
    pages.addHook('onSend', async (_, reply, body) => {
      const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
      if (isPage) reply.header('content-security-policy', policyOf(String(body)))
      return body
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
