import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Capability } from '../../contract/capability.ts'
import { invalidRequest } from '../../contract/rules/errors.ts'
import { readJsonObject } from '../json-body.ts'
import { jsonSchemaOf } from '../json-schema.ts'
import { parseInput } from '../parse-input.ts'

const LONGEST_WAIT_SECONDS = 60

/** The operation's input under the names that it has at REST. */
export function restSchema({ operation, rest }: Capability): z.ZodObject {
  const { rename } = rest
  if (!rename) return operation.input
  const names = new Map(Object.entries(rename).map(([name, field]) => [field, name]))
  const fields = Object.entries(operation.input.shape)
  return z.strictObject(
    Object.fromEntries(fields.map(([field, schema]) => [names.get(field) ?? field, schema])),
  )
}

/** Reads path, query or body and the two header fields that are input; prepared once per route. */
export function createReadInput(
  capability: Capability,
): (request: FastifyRequest) => Record<string, unknown> {
  const schema = restSchema(capability)
  const readText = fromText(schema)
  const takesKey = 'idempotency_key' in schema.shape
  const takesWait = 'wait' in schema.shape
  const hasBody = /^(POST|PATCH) /.test(capability.rest.route)
  const { rename = {} } = capability.rest

  return (request) => {
    const sent = merge([
      hasBody ? readBody(request) : {},
      readText(request.params),
      readText(request.query),
      takesKey ? idempotencyKeyOf(request) : {},
    ])
    const input = parseInput(schema, { ...(takesWait && preferredWaitOf(request)), ...sent })
    return Object.fromEntries(
      Object.entries(input).map(([name, value]) => [rename[name] ?? name, value]),
    )
  }
}

/** A request whose address says everything may leave its body out. */
const readBody = (request: FastifyRequest) =>
  request.body === undefined ? {} : readJsonObject(request)

/** One field, one value: sent in two places it must be equal. */
function merge(parts: Record<string, unknown>[]): Record<string, unknown> {
  const merged = new Map<string, unknown>()
  for (const [name, value] of parts.flatMap(Object.entries)) {
    if (merged.has(name) && merged.get(name) !== value) {
      throw invalidRequest([{ pointer: `/${name}`, detail: 'sent twice with different values' }])
    }
    merged.set(name, value)
  }
  return Object.fromEntries(merged)
}

/** Texts of path and query become what their schema wants: digits a number, `true` and `false` a boolean. */
function fromText(schema: z.ZodObject): (texts: unknown) => Record<string, unknown> {
  const { properties = {} } = jsonSchemaOf(schema, 'input') as {
    properties?: Record<string, { type?: string }>
  }
  const convert = (name: string, text: unknown) => {
    const type = properties[name]?.type
    if (typeof text !== 'string') return text
    if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
    if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
    return text
  }
  return (texts) =>
    Object.fromEntries(
      Object.entries(texts ?? {}).map(([name, text]) => [name, convert(name, text)]),
    )
}

function idempotencyKeyOf({ headers }: FastifyRequest): Record<string, unknown> {
  const key = headers['idempotency-key']
  return key === undefined ? {} : { idempotency_key: key }
}

/** `Prefer: wait=N`. RFC 7240: a preference that cannot be honoured is ignored, and what the request itself says wins. */
function preferredWaitOf({ headers }: FastifyRequest): Record<string, unknown> {
  const wait = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(String(headers.prefer))?.[1]
  return wait === undefined ? {} : { wait: Math.min(Number(wait), LONGEST_WAIT_SECONDS) }
}
