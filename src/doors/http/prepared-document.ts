import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { acceptsGzip, DOCUMENT_SECONDS, isKnown, MIN_COMPRESSED_BYTES } from './send-document.ts'

const ETAG_CHARS = 22

const compress = promisify(gzip)

type Encoded = { bytes: Buffer; etag: string; encoding?: 'gzip' }

/** A body that was hashed and compressed once. All responses share its bytes. */
export type PreparedDocument = { type: string; plain: Encoded; gzipped?: Encoded }

/** UTF-8 is added to `type` as the charset unless `type` has parameters or is a font or image. */
export async function prepareDocument(type: string, body: string | Buffer) {
  const bytes = Buffer.from(body)
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, ETAG_CHARS)
  const isBinary = /^(font|image\/png)/.test(type)
  const prepared = {
    type: isBinary || type.includes(';') ? type : `${type}; charset=utf-8`,
    plain: { bytes, etag: `"${hash}"` },
  }
  if (isBinary || bytes.length < MIN_COMPRESSED_BYTES) return prepared
  const gzipped = { bytes: await compress(bytes), etag: `"${hash}-gz"`, encoding: 'gzip' } as const
  return { ...prepared, gzipped }
}

/** Sends a prepared document, or 304 if the caller already has it. */
export function sendPrepared(
  reply: FastifyReply,
  { type, plain, gzipped }: PreparedDocument,
  cacheControl: string,
): FastifyReply {
  const { headers } = reply.request
  const { bytes, etag, encoding } = (acceptsGzip(reply.request) && gzipped) || plain
  reply.header('etag', etag).header('cache-control', cacheControl)
  if (gzipped) reply.header('vary', 'accept-encoding')
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(type).send(bytes)
}

/** Serves a body that is built on the first request and never changes while the process runs. */
export function serveDocument(
  scope: FastifyInstance,
  path: string,
  type: string,
  make: () => string | Promise<string>,
): void {
  let document: Promise<PreparedDocument> | undefined
  const prepare = async () => prepareDocument(type, await make())
  scope.get(path, async (_, reply) => {
    document ??= prepare().catch((error: unknown) => {
      document = undefined
      throw error
    })
    return sendPrepared(reply, await document, `public, max-age=${DOCUMENT_SECONDS}`)
  })
}
