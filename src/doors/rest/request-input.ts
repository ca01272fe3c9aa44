import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Capability } from '../../contract/capability.ts'
import { invalidRequest } from '../../contract/rules/errors.ts'
import { readJsonObject } from '../json-body.ts'
import { jsonSchemaOf } from '../json-schema.ts'
import { parseInput } from '../parse-input.ts'

const MAX_WAIT_SECONDS = 60

type Fields = Record<string, unknown>

/** The operation's input with its field names at REST. */
export function restSchema({ operation, rest }: Capability): z.ZodObject {
  const { rename } = rest
  if (!rename) return operation.input
  const names = new Map(Object.entries(rename).map(([name, field]) => [field, name]))
  const fields = Object.entries(operation.input.shape)
  return z.strictObject(
    Object.fromEntries(fields.map(([field, schema]) => [names.get(field) ?? field, schema])),
  )
}

/** Whether requests of a capability have a body. */
export const hasBody = ({ rest }: Capability) => /^(POST|PATCH) /.test(rest.route)

/** Reads path, query or body, and the header fields that are input; prepared once per route. */
export function createReadInput(capability: Capability): (request: FastifyRequest) => Fields {
  const schema = restSchema(capability)
  const readText = fromText(schema)
  const takesKey = 'idempotency_key' in schema.shape
  const takesWait = 'wait' in schema.shape
  const takesBody = hasBody(capability)
  const { rename = {} } = capability.rest

  return (request) => {
    const { body, params, query, headers } = request
    const key = headers['idempotency-key']
    const sent = merge([
      // A request whose address says everything needs no body.
      takesBody && body !== undefined ? readJsonObject(request) : {},
      readText(params),
      readText(query),
      takesKey && key !== undefined ? { idempotency_key: key } : {},
    ])
    const input = parseInput(schema, { ...(takesWait && preferredWaitOf(request)), ...sent })
    return Object.fromEntries(
      Object.entries(input).map(([name, value]) => [rename[name] ?? name, value]),
    )
  }
}

/** A field that is sent in two places must have equal values. */
function merge(parts: Fields[]): Fields {
  const merged = new Map<string, unknown>()
  for (const [name, value] of parts.flatMap(Object.entries)) {
    if (merged.has(name) && merged.get(name) !== value) {
      throw invalidRequest([{ pointer: `/${name}`, detail: 'sent twice with different values' }])
    }
    merged.set(name, value)
  }
  return Object.fromEntries(merged)
}

/** Converts text of path and query by its schema: digits to a number, `true` and `false`. */
function fromText(schema: z.ZodObject): (texts: unknown) => Fields {
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

/** `Prefer: wait=N`. RFC 7240: an invalid preference is ignored, and fields of the request win. */
function preferredWaitOf({ headers }: FastifyRequest): Fields {
  const wait = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(String(headers.prefer))?.[1]
  return wait === undefined ? {} : { wait: Math.min(Number(wait), MAX_WAIT_SECONDS) }
}
