import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

const MAX_AGE_SECONDS = 300
const ETAG_CHARS = 22

/** Serves a JSON document that stays the same while the process runs: cached for five minutes, 304 for who has it. */
export function servePublished(scope: FastifyInstance, path: string, document: unknown): void {
  const body = JSON.stringify(document)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, ETAG_CHARS)}"`

  scope.get(path, async (request, reply) => {
    reply.header('etag', etag).header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
}
