import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const ETAG_CHARS = 22
const WEIGHT = /;\s*q=([\d.]+)/
const ACCEPTS_GZIP = /(^|[\s,])gzip\s*($|,|;\s*q=(1|0\.0*[1-9]))/i
/** Below this size, compression saves less than its headers add. */
export const MIN_COMPRESSED_BYTES = 1_000

/** How long to cache a document that changes only with a deployment. */
export const DOCUMENT_SECONDS = 300

export const HTML = 'text/html'
export const MARKDOWN = 'text/markdown'
export const TEXT = 'text/plain'
export const JSON_TYPE = 'application/json'

/** Returns how much the caller prefers a media type, from 0 to 1 (RFC 9110 section 12.5.1). */
export function weigh({ headers }: FastifyRequest): (type: string) => number {
  const ranges = (headers.accept || '*/*').split(',').map((part) => {
    const [range = ''] = part.split(';', 1)
    return { range: range.trim().toLowerCase(), weight: Number(WEIGHT.exec(part)?.[1] ?? 1) }
  })
  return (type) => {
    const matching = [type, `${type.split('/', 1)[0]}/*`, '*/*']
    const match = matching.flatMap((one) => ranges.filter(({ range }) => range === one))[0]
    return match?.weight ?? 0
  }
}

/** The media type that the caller prefers; the first one in a tie. */
export function preferred<T extends string>(
  request: FastifyRequest,
  offered: readonly [T, ...T[]],
): T {
  const weightOf = weigh(request)
  return offered.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best))
}

/**
 * Sends a body, or 304 if the caller already has it. If `maxAgeSeconds` is 0, caches must
 * revalidate it. A page that reports a problem is never cached (RFC 9110 section 13.2.1).
 */
export function sendDocument(reply: FastifyReply, type: string, body: string, maxAgeSeconds = 0) {
  const bytes = Buffer.from(body)
  const isCompressed = bytes.length >= MIN_COMPRESSED_BYTES && acceptsGzip(reply.request)
  if (bytes.length >= MIN_COMPRESSED_BYTES) addVary(reply, 'accept-encoding')
  if (reply.statusCode === 200) {
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, ETAG_CHARS)
    const etag = isCompressed ? `"${hash}-gz"` : `"${hash}"`
    reply
      .header('etag', etag)
      .header('cache-control', maxAgeSeconds ? `public, max-age=${maxAgeSeconds}` : 'no-cache')
    if (isKnown(reply.request.headers['if-none-match'], etag)) return reply.code(304).send()
  } else reply.header('cache-control', 'no-store')
  if (isCompressed) reply.header('content-encoding', 'gzip')
  // Sent as bytes, because Fastify adds a charset to text of any JSON type.
  return reply
    .type(type.includes(';') ? type : `${type}; charset=utf-8`)
    .send(isCompressed ? gzipSync(bytes) : bytes)
}

/** Whether a caller accepts a compressed body. */
export const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  ACCEPTS_GZIP.test(String(headers['accept-encoding'] ?? ''))

function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before ? `${String(before)}, ${name}` : name)
}

/** Compares weakly (RFC 9110 section 13.1.2), because a compressing proxy weakens the tag. */
export const isKnown = (header: string | undefined, etag: string) =>
  header?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')

/** A page and its Markdown version. */
type Twins = { html(): string; markdown(): string }

/** Serves a negotiated page at `path`, and Markdown at `path.md`; `read` gets the parameter. */
export function serveTwins(
  scope: FastifyInstance,
  path: string,
  maxAgeSeconds: number,
  read: (reply: FastifyReply, name: string, isMarkdown: boolean) => Promise<Twins | FastifyReply>,
): void {
  for (const url of path.includes(':') ? [path] : [path, `${path}.md`]) {
    scope.get<{ Params: Record<string, string> }>(url, async (request, reply) => {
      const [name = url] = Object.values(request.params)
      const isMarkdown = name.endsWith('.md')
      const twins = await read(reply, name.replace(/\.md$/, ''), isMarkdown)
      if (!('html' in twins)) return twins
      if (!isMarkdown) reply.header('vary', 'accept')
      const type = isMarkdown ? MARKDOWN : preferred(request, [HTML, MARKDOWN])
      const body = type === HTML ? twins.html() : twins.markdown()
      return sendDocument(reply, type, body, maxAgeSeconds)
    })
  }
}
