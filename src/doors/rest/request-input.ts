import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalidRequest } from '../../base/errors.ts'
import type { Capability } from '../../contract/capability.ts'
import { jsonSchemaOf } from '../calls/json-schema.ts'
import { createReadFields, type ReadFields } from '../calls/read-fields.ts'
import { bodyBytes, readJsonObject } from '../http/json-body.ts'

const MAX_WAIT_SECONDS = 60

type Fields = Record<string, unknown>

/** The operation's input under its REST field names. */
export function restSchema({ operation, rest }: Capability): z.ZodObject {
  if (!rest.rename) return operation.input
  const names = restNames({ rest })
  const fields = Object.entries(operation.input.shape)
  return z.strictObject(
    Object.fromEntries(fields.map(([field, schema]) => [names[field] ?? field, schema])),
  )
}

/** The REST names of fields to which the operation gives other names. */
const restNames = ({ rest: { rename = {} } }: Pick<Capability, 'rest'>): Record<string, string> =>
  Object.fromEntries(Object.entries(rename).map(([name, field]) => [field, name]))

/** Whether requests for a capability have a body. */
export const hasBody = ({ rest }: Capability) => /^(POST|PATCH) /.test(rest.route)

/** Reads input from the path, query, body and header fields; prepared once per route. */
export function createReadInput(
  capability: Capability,
): (request: FastifyRequest) => ReturnType<ReadFields> {
  const schema = restSchema(capability)
  const readText = fromText(schema)
  const takesKey = 'idempotency_key' in schema.shape
  const takesWait = 'wait' in schema.shape
  const takesBody = hasBody(capability)
  const readFields = createReadFields(capability, restNames(capability))

  return (request) => {
    const { params, query, headers } = request
    const key = headers['idempotency-key']
    const fields = merge([
      // A request with all of its input in the address needs no body, whatever type it declares.
      takesBody && bodyBytes(request).length > 0 ? readJsonObject(request) : {},
      readText(params),
      readText(query),
      takesKey && key !== undefined ? { idempotency_key: key } : {},
    ])
    return readFields({ ...(takesWait && preferredWaitOf(request)), ...fields })
  }
}

/** If a field is sent in two places, both values must be equal. */
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

/** Converts path and query text by its schema: digits to numbers, `true` to a boolean. */
function fromText(schema: z.ZodObject): (texts: unknown) => Fields {
  // Built on first use, because a process never receives calls to most routes.
  let properties: Record<string, { type?: string }> | undefined
  const convert = (name: string, text: unknown) => {
    if (typeof text !== 'string') return text
    properties ??= jsonSchemaOf(schema, 'input').properties as typeof properties
    const type = properties?.[name]?.type
    const isDigits = type === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d{1,15})?$/
    if ((type === 'integer' || type === 'number') && isDigits.test(text)) return Number(text)
    if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
    return text
  }
  return (texts) =>
    Object.fromEntries(
      Object.entries(texts ?? {}).map(([name, text]) => [name, convert(name, text)]),
    )
}

/** `Prefer: wait=N`; an invalid preference is ignored (RFC 7240), and request fields prevail. */
function preferredWaitOf({ headers }: FastifyRequest): Fields {
  const wait = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(String(headers.prefer))?.[1]
  return wait === undefined ? {} : { wait: Math.min(Number(wait), MAX_WAIT_SECONDS) }
}
