import { z } from 'zod'
import { type ErrorCode, errorCatalogue } from '../../base/error-catalogue.ts'
import { NETWORK_VERSION } from '../../base/ids.ts'
import { networkProfile } from '../../base/network.ts'
import type { Capability } from '../../contract/capability.ts'
import { compactVenue, compactVenueAlone } from '../../contract/compact.ts'
import { interpretation } from '../../contract/interpretation.ts'
import * as shared from '../../contract/public.ts'
import { catalogue } from '../../network.ts'
import { describeOperation as describeText } from '../calls/describe-operation.ts'
import { type JsonSchema, jsonSchemaOf } from '../calls/json-schema.ts'
import { answerSchemaOf } from '../calls/read-fields.ts'
import { webhookDescriptions } from './openapi-webhooks.ts'
import { hasBody, restSchema } from './request-input.ts'

const sharedSchemas = Object.entries({
  Venue: shared.venue,
  CompactVenue: compactVenue,
  CompactVenueAlone: compactVenueAlone,
  Slot: shared.slot,
  Availability: shared.availability,
  Booking: shared.booking,
  OwnBooking: shared.ownBooking,
  Interpretation: interpretation,
})
const refs = {
  prefix: '#/components/schemas/',
  names: new Map<unknown, string>(sharedSchemas.map(([name, schema]) => [schema, name])),
}

/** The name of the only security scheme. */
const API_KEY = 'apiKey'

/** Describes the REST door in OpenAPI 3.1, generated from the same table as its routes. */
export function openApiDocument() {
  const paths: Record<string, Record<string, ReturnType<typeof describeOperation>>> = {}
  for (const capability of catalogue) {
    const [method = '', path = ''] = capability.rest.route.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(capability, path) }
  }
  const schemas = sharedSchemas.map(([name, schema]) => [
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
    paths,
    webhooks: webhookDescriptions(refs),
    components: {
      securitySchemes: {
        [API_KEY]: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `service_live_…`, or `service_test_…` of the sandbox',
        },
      },
      schemas: { ...Object.fromEntries(schemas), Problem: problem },
    },
  }
}

function describeOperation(capability: Capability, path: string) {
  const { operation, rest, a2a } = capability
  const { scope, tier } = operation
  const schema = restSchema(capability)
  const isOpen = (rest.tier ?? tier) === 'open'
  return {
    operationId: a2a.replace('.', '_'),
    summary: operation.summary,
    description: describeText(operation),
    tags: [a2a.split('.', 1)[0]],
    security: isOpen ? [{}, { [API_KEY]: [] }] : [{ [API_KEY]: scope ? [scope] : [] }],
    parameters: [...parametersOf(capability, schema, path), ...headerParameters(schema, rest)],
    ...(hasBody(capability) && { requestBody: bodyOf(capability, schema, path) }),
    responses: { ...successes(capability), ...failures(capability) },
  }
}

/** The body, with the fields that are not in the path; optional if no field is required. */
function bodyOf({ example }: Capability, schema: z.ZodObject, path: string) {
  const inBody = (fields: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !path.includes(`{${name}}`)))
  const fields = z.strictObject(inBody(schema.shape) as z.ZodRawShape)
  const json: { required?: string[] } = jsonSchemaOf(fields, 'input', refs)
  return {
    required: Boolean(json.required?.length),
    content: { 'application/json': { schema: json, example: inBody(example) } },
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
const preferZone = {
  ...prefer,
  description: '`time-zone=…`: with `text/csv`, adds a column with the time in this zone',
  example: 'time-zone=Asia/Makassar',
}
const headerParameters = ({ shape }: z.ZodObject, { csv }: Capability['rest']) => [
  ...('idempotency_key' in shape ? [idempotencyKey] : []),
  ...('wait' in shape ? [prefer] : []),
  ...(csv ? [preferZone] : []),
]

function successes({ operation, rest }: Capability) {
  const { statuses = { 200: 'OK' }, file, live, csv } = rest
  const text = { schema: { type: 'string' } }
  const json = {
    'application/json': { schema: jsonSchemaOf(answerSchemaOf(operation), 'output', refs) },
  }
  const content = file
    ? { [file.type]: text }
    : { ...json, ...(live && { 'text/event-stream': text }), ...(csv && { 'text/csv': text }) }
  return Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [status, { description, content }]),
  )
}

const always = ['invalid_request', 'internal_error', 'overloaded', 'service_unavailable'] as const
const ofTier: Record<string, readonly ErrorCode[]> = {
  open: ['unauthenticated', 'account_suspended', 'rate_limited'],
  free: ['unauthenticated', 'account_suspended', 'quota_exceeded'],
  pro: ['unauthenticated', 'account_suspended', 'quota_exceeded', 'plan_required'],
}
const ofBody = ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const

function failures(capability: Capability) {
  const { operation, rest } = capability
  const codes = new Set<ErrorCode>([
    ...operation.errors,
    ...always,
    ...(ofTier[rest.tier ?? operation.tier] ?? []),
    ...(operation.scope ? (['scope_required'] as const) : []),
    ...(hasBody(capability) ? ofBody : []),
  ])
  const schema = { $ref: `${refs.prefix}Problem` }
  const content = { 'application/problem+json': { schema } }
  const titleOf = (code: ErrorCode) => `\`${code}\`: ${errorCatalogue[code].title}`
  return Object.fromEntries(
    [...Map.groupBy(codes, (code) => errorCatalogue[code].status)].map(([status, possible]) => [
      status,
      { description: possible.map(titleOf).join('\n\n'), content },
    ]),
  )
}

const problem = {
  ...jsonSchemaOf(
    z.object({
      type: z.url().describe('The page about the code'),
      title: z.string(),
      status: z.int(),
      detail: z.string().describe('What is wrong and what to do next'),
      instance: z.string().optional(),
      code: z.enum(Object.keys(errorCatalogue)),
      retryable: z.boolean(),
      request_id: z.uuid(),
      errors: z.array(z.looseObject({ pointer: z.string(), detail: z.string() })).optional(),
    }),
    'output',
  ),
  description: 'RFC 9457, with extra members where a code has them: alternatives, retry_after, …',
  additionalProperties: true,
}
