import { createHash } from 'node:crypto'
import scalar from '@scalar/fastify-api-reference'
import { type FastifyInstance, fastify } from 'fastify'
import { networkProfile } from '../../contract/rules/network.ts'
import { contentPolicy } from '../content-policy.ts'
import { prepareDocument, sendPrepared, serveDocument } from '../prepared-document.ts'
import type { DoorDeps } from '../run-operation.ts'
import { DOCUMENT_SECONDS, HTML, JSON_TYPE } from '../send-document.ts'
import { API_KEY, openApiDocument } from './openapi.ts'

const SCRIPT_PATH = '/reference/js/scalar.js'
const CACHED = `public, max-age=${DOCUMENT_SECONDS}`
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

/** The reference page and its script (4 MB), which its package makes a copy of for each request. */
const readScalar = async () => {
  const scratch = fastify()
  await scratch.register(scalar, {
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
  const [page, script] = [await scratch.inject('/reference/'), await scratch.inject(SCRIPT_PATH)]
  await scratch.close()
  return {
    policy: policyOf(page.body),
    page: await prepareDocument(HTML, page.body),
    script: await prepareDocument('text/javascript', script.rawPayload),
  }
}

let made: ReturnType<typeof readScalar> | undefined

/** `/openapi.json`, and `/reference`: the same document as pages, with a playground. */
export async function reference(scope: FastifyInstance, { guards }: Pick<DoorDeps, 'guards'>) {
  scope.addHook('onRequest', async () => guards.admit())
  serveDocument(scope, '/openapi.json', JSON_TYPE, () => JSON.stringify(openApiDocument()))
  scope.get('/reference', async (_, reply) => reply.redirect('/reference/', 301))
  scope.get('/reference/', async (_, reply) => {
    made ??= readScalar()
    const { page, policy } = await made
    return sendPrepared(reply.header('content-security-policy', policy), page, CACHED)
  })
  scope.get(SCRIPT_PATH, async (_, reply) => {
    made ??= readScalar()
    return sendPrepared(reply, (await made).script, CACHED)
  })
}
