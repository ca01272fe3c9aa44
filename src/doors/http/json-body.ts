import { MIMEType } from 'node:util'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest, refuse } from '../../base/errors.ts'

/** Leaves bodies as bytes, so that keys and quotas are checked before a body is parsed. */
export function keepBodyBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body)
}

/** The bytes of a body after `keepBodyBytes`; empty if there is no body. */
export const bodyBytes = ({ body }: FastifyRequest): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)

/** Parses the body, which must be one JSON object in UTF-8. */
export function readJsonObject(request: FastifyRequest): Record<string, unknown> {
  if (!isJsonInUtf8(request.headers['content-type'])) throw refuse('unsupported_media_type')
  const value = parseJson(bodyBytes(request))
  if (!isObject(value)) throw invalidRequest([{ pointer: '', detail: 'expected a JSON object' }])
  return value
}

function isJsonInUtf8(contentType = ''): boolean {
  try {
    const { essence, params } = new MIMEType(contentType)
    return essence === 'application/json' && /^utf-?8$/i.test(params.get('charset') ?? 'utf-8')
  } catch {
    return false
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseJson(bytes: Buffer): unknown {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw refuse('malformed_json')
  }
  if (!isDeeper(value)) return value
  throw invalidRequest([{ pointer: '', detail: `expected at most ${MAX_DEPTH} levels of nesting` }])
}

/** Deeper than any valid body. A few thousand levels would overflow the stack in recursive code. */
const MAX_DEPTH = 64

/** Whether a value is nested more deeply than bodies may be. */
export const isDeeper = (value: unknown, levels = MAX_DEPTH): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)))

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
