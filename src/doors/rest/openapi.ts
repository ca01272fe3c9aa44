import { z } from 'zod'
import { catalogue } from '../../catalogue.ts'
import type { Capability } from '../../contract/capability.ts'
import * as shared from '../../contract/public.ts'
import { type ErrorCode, errorCatalogue } from '../../contract/rules/error-catalogue.ts'
import { NETWORK_VERSION } from '../../contract/rules/ids.ts'
import { networkProfile } from '../../contract/rules/network.ts'
import { type JsonSchema, jsonSchemaOf } from '../json-schema.ts'
import { calendarRoute } from './calendar-route.ts'
import { webhookDescriptions } from './openapi-webhooks.ts'
import { restSchema } from './request-input.ts'

const sharedSchemas = {
  Venue: shared.venue,
  Slot: shared.slot,
  Availability: shared.availability,
  Booking: shared.booking,
  Interpretation: shared.interpretation,
}
const refs = {
  prefix: '#/components/schemas/',
  names: new Map<unknown, string>(
    Object.entries(sharedSchemas).map(([name, schema]) => [schema, name]),
  ),
}

/** The name of the one security scheme. */
export const API_KEY = 'apiKey'

const alwaysPossible: ErrorCode[] = [
  'invalid_request',
  'internal_error',
  'overloaded',
  'service_unavailable',
]
const withKey: ErrorCode[] = ['unauthenticated', 'quota_exceeded']
const withBody: ErrorCode[] = ['malformed_json', 'payload_too_large', 'unsupported_media_type']

/** The REST door as OpenAPI 3.1, from the same table as its routes. */
export function openApiDocument() {
  const schemas = Object.entries(sharedSchemas).map(([name, schema]) => [
    name,
    jsonSchemaOf(schema, 'output', refs),
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: networkProfile.name,
      version: NETWORK_VERSION,
      description: networkProfile.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths: paths(),
    webhooks: webhookDescriptions(refs),
    components: {
      securitySchemes: {
        [API_KEY]: { type: 'http', scheme: 'bearer', description: 'An API key: `service_live_…`' },
      },
      schemas: { ...Object.fromEntries(schemas), Problem: problem },
    },
  }
}

function paths() {
  const byPath: Record<string, Record<string, ReturnType<typeof describeOperation>>> = {}
  for (const capability of [...catalogue, calendarRoute]) {
    const [method = '', path = ''] = capability.rest.route.split(' ')
    byPath[path] = { ...byPath[path], [method.toLowerCase()]: describeOperation(capability, path) }
  }
  return byPath
}

function describeOperation(capability: Capability, path: string) {
  const { operation, rest, a2a, example } = capability
  const schema = restSchema(capability)
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const body = /^(POST|PATCH) /.test(rest.route) && bodyOf(schema, example, inPath)
  const open = (rest.tier ?? operation.tier) === 'open'
  const { scope } = operation
  return {
    operationId: a2a.replace('.', '_'),
    summary: operation.summary,
    description: operation.description,
    tags: [a2a.split('.', 1)[0]],
    security: open ? [{}, { [API_KEY]: [] }] : [{ [API_KEY]: scope ? [scope] : [] }],
    parameters: [...parametersOf(capability, schema, path), ...headerParameters(schema)],
    ...(body && { requestBody: body }),
    responses: {
      ...successes(operation.output, rest),
      ...failures(capability, Boolean(body)),
    },
  }
}

/** What is not in the address; a body in which nothing is required may be left out. */
function bodyOf(schema: z.ZodObject, example: Record<string, unknown>, inPath: string[]) {
  const rest = Object.entries(schema.shape).filter(([name]) => !inPath.includes(name))
  const json = jsonSchemaOf(z.strictObject(Object.fromEntries(rest)), 'input', refs)
  const sample = Object.entries(example).filter(([name]) => !inPath.includes(name))
  return {
    required: Boolean((json as { required?: string[] }).required?.length),
    content: { 'application/json': { schema: json, example: Object.fromEntries(sample) } },
  }
}

function parametersOf({ rest, example }: Capability, schema: z.ZodObject, path: string) {
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input', refs) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  const inQuery = rest.route.startsWith('GET ')
  return Object.entries(properties).flatMap(([name, { description, ...parameter }]) => {
    const inPath = path.includes(`{${name}}`)
    if (!inPath && !inQuery) return []
    const sample = example[rest.rename?.[name] ?? name]
    return {
      name,
      in: inPath ? 'path' : 'query',
      required: inPath || required.includes(name),
      ...(description !== undefined && { description }),
      ...(sample !== undefined && { example: sample }),
      schema: parameter,
    }
  })
}

function headerParameters({ shape }: z.ZodObject) {
  const idempotencyKey = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeated key and body get the first answer',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  }
  const prefer = {
    name: 'Prefer',
    in: 'header',
    description: '`wait=N`: wait up to N seconds (0 to 60) for the final answer',
    schema: { type: 'string' },
    example: 'wait=10',
  }
  return [
    ...('idempotency_key' in shape ? [idempotencyKey] : []),
    ...('wait' in shape ? [prefer] : []),
  ]
}

function successes(
  output: z.ZodObject,
  { statuses = { 200: 'Done' }, file, live }: Capability['rest'],
) {
  const text = { schema: { type: 'string' } }
  const json = { 'application/json': { schema: jsonSchemaOf(output, 'output', refs) } }
  const content = file
    ? { [file.type]: text }
    : { ...json, ...(live && { 'text/event-stream': text }) }
  return Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [status, { description, content }]),
  )
}

function failures({ operation, rest }: Capability, hasBody: boolean) {
  const tier = rest.tier ?? operation.tier
  const codes = new Set<ErrorCode>([
    ...operation.errors,
    ...alwaysPossible,
    ...(tier === 'open' ? (['unauthenticated', 'rate_limited'] as const) : withKey),
    ...(tier === 'pro' ? (['plan_required'] as const) : []),
    ...(operation.scope ? (['scope_required'] as const) : []),
    ...(hasBody ? withBody : []),
  ])
  const byStatus = Map.groupBy(codes, (code) => errorCatalogue[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, possible]) => [
      status,
      {
        description: possible
          .map((code) => `\`${code}\`: ${errorCatalogue[code].title}`)
          .join('\n\n'),
        content: { 'application/problem+json': { schema: { $ref: `${refs.prefix}Problem` } } },
      },
    ]),
  )
}

const problem = {
  type: 'object',
  description: 'RFC 9457, with extra members where a code has them: alternatives, retry_after, …',
  properties: {
    type: { type: 'string', format: 'uri', description: 'Page of the code' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What is wrong and what to do next' },
    instance: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorCatalogue) },
    retryable: { type: 'boolean' },
    request_id: { type: 'string', format: 'uuid' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pointer: { type: 'string' }, detail: { type: 'string' } },
        required: ['pointer', 'detail'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'retryable', 'request_id'],
  additionalProperties: true,
}
