import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../model/errors.ts'
import { invalidRequest } from './parse-input.ts'

/** Leaves bodies as text, so that keys and quotas come before the first look at what was sent. */
export function keepBodyText(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (_: FastifyRequest, body: string) => body,
  )
}

/** The JSON object of the body; throws `unsupported_media_type`, `malformed_json` or `invalid_request`. */
export function readJsonObject(request: FastifyRequest): Record<string, unknown> {
  const contentType = request.headers['content-type'] ?? ''
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw refuse('unsupported_media_type')
  const value = parseJson(String(request.body ?? ''))
  if (!isObject(value)) throw invalidRequest([{ pointer: '', detail: 'expected a JSON object' }])
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('malformed_json')
  }
}

/** True for what JSON calls an object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
