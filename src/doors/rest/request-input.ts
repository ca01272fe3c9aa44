import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalidRequest } from '../../base/errors.ts'
import type { Capability } from '../../contract/capability.ts'
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
  const takesKey = 'idempotency_key' in schema.shape
  const takesWait = 'wait' in schema.shape
  const takesBody = hasBody(capability)
  const readFields = createReadFields(capability, restNames(capability))

  return (request) => {
    const { headers } = request
    const { params, query } = request as { params: Fields; query: Fields }
    const key = headers['idempotency-key']
    const fields = merge([
      // A request with all of its input in the address needs no body, whatever type it declares.
      takesBody && bodyBytes(request).length > 0 ? readJsonObject(request) : {},
      params,
      query,
      takesKey && key !== undefined ? { idempotency_key: key } : {},
    ])
    const read = readFields({ ...(takesWait && preferredWaitOf(request)), ...fields })
    // All values in an address are text, which is nothing to echo.
    const isEchoed = ([name, value]: [string, unknown]) =>
      !(name in query && /^(?:number|boolean)$/.test(typeof value))
    const understood = Object.fromEntries(Object.entries(read.understood).filter(isEchoed))
    return { ...read, understood }
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

/** `Prefer: wait=N`; an invalid preference is ignored (RFC 7240), and request fields prevail. */
function preferredWaitOf({ headers }: FastifyRequest): Fields {
  const wait = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(String(headers.prefer))?.[1]
  return wait === undefined ? {} : { wait: Math.min(Number(wait), MAX_WAIT_SECONDS) }
}
