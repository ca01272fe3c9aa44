import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferred } from './negotiate.ts'

const ETAG_CHARS = 22

/** The media types of a page and of its twin. */
export const HTML = 'text/html'
export const MARKDOWN = 'text/markdown'

/** What is sent; a type without parameters is sent as UTF-8. */
export type Document = { type: string; body: string }

/**
 * Answers 304 to whoever has it. `maxAgeSeconds` 0: it may be kept, and must be asked about each time. A page that says what was wrong is
 * neither: RFC 9110 section 13.2.1.
 */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body }: Document,
  maxAgeSeconds = 0,
): FastifyReply {
  if (reply.statusCode === 200) {
    const hash = createHash('sha256').update(body).digest('base64url')
    const etag = `"${hash.slice(0, ETAG_CHARS)}"`
    reply
      .header('etag', etag)
      .header('cache-control', maxAgeSeconds ? `public, max-age=${maxAgeSeconds}` : 'no-cache')
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  } else reply.header('cache-control', 'no-store')
  // Bytes, as Fastify adds a charset to text that is any kind of JSON.
  return type.includes(';')
    ? reply.type(type).send(Buffer.from(body))
    : reply.type(`${type}; charset=utf-8`).send(body)
}

/** RFC 9110 section 13.1.2: the comparison is weak, as a proxy that compresses weakens the tag. */
const isKnown = (header: string | undefined, etag: string) =>
  header?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')

/** A page and its twin in Markdown, of which an address that does not end in `.md` gives the one that the caller prefers. */
export type Twins = { html(): string; markdown(): string }

/** One of the two, as the address or else the caller asks for. */
export function sendTwin(
  request: FastifyRequest,
  reply: FastifyReply,
  twins: Twins,
  { isMarkdown, maxAgeSeconds = 0 }: { isMarkdown: boolean; maxAgeSeconds?: number },
): FastifyReply {
  const type = isMarkdown ? MARKDOWN : preferred(request, [HTML, MARKDOWN])
  if (!isMarkdown) reply.header('vary', 'accept')
  const body = type === HTML ? twins.html() : twins.markdown()
  return sendDocument(request, reply, { type, body }, maxAgeSeconds)
}
