import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const MAX_AGE_SECONDS = 300
const ETAG_CHARS = 22

/** Serves a JSON document that stays the same while the process runs: cached for five minutes, 304 for who has it. */
export function servePublished(scope: FastifyInstance, path: string, document: unknown): void {
  const published = publish(document, MAX_AGE_SECONDS)
  scope.get(path, async (request, reply) => published(request, reply))
}

/** Answers with a JSON document that anybody may keep for so many seconds; 304 to who has it. */
export function publish(document: unknown, maxAgeSeconds: number) {
  const body = JSON.stringify(document)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, ETAG_CHARS)}"`

  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    reply.header('etag', etag).header('cache-control', `public, max-age=${maxAgeSeconds}`)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  }
}
