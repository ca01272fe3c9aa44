import { z } from 'zod'
import { type ErrorCode, errorCatalogue } from '../../base/error-catalogue.ts'
import { NETWORK_VERSION } from '../../base/ids.ts'
import { networkProfile } from '../../base/network.ts'
import { type Capability, exampleId } from '../../contract/capability.ts'
import { changeForms, type OutputSchema } from '../../contract/operation.ts'
import { catalogue } from '../../network.ts'
import { describeOperation as describeText } from '../calls/describe-operation.ts'
import { type JsonSchema, jsonSchemaOf, type NamedSchemas } from '../calls/json-schema.ts'
import { answerSchemaOf } from '../calls/read-fields.ts'
import { ref, webhookDescriptions, webhookHeaders } from './openapi-webhooks.ts'
import { hasBody, restSchema } from './request-input.ts'

type Content = Record<string, { schema: JsonSchema }>
export type Parameter = Record<'name' | 'in', string> & {
  required?: true
  description?: string
  example?: unknown
  schema: JsonSchema
}

/** The name of the only security scheme. */
const API_KEY = 'apiKey'

/** Describes the REST door in OpenAPI 3.1, generated from the same table as its routes. */
export function openApiDocument() {
  const named: NamedSchemas = new Map([['Refusal', refusal]])
  const paths: Record<string, Record<string, ReturnType<typeof describeOperation>>> = {}
  for (const capability of catalogue) {
    const [method = '', path = ''] = capability.rest.route.split(' ')
    const described = describeOperation(capability, path, named)
    paths[path] = { ...paths[path], [method.toLowerCase()]: described }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: networkProfile.name,
      version: NETWORK_VERSION,
      description: networkProfile.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    webhooks: webhookDescriptions(named),
    components: {
      securitySchemes: {
        [API_KEY]: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `service_live_…`, or `service_test_…` of the sandbox',
        },
      },
      parameters: { ...headers, ...webhookHeaders },
      responses: {
        Refused: {
          description: 'Its `code` is one of `x-refusals`, which every operation lists',
          content: { 'application/problem+json': { schema: ref('schemas', 'Refusal') } },
        },
      },
      schemas: Object.fromEntries([...named].toSorted(([one], [two]) => (one < two ? -1 : 1))),
    },
  }
  const text = JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/')
  return JSON.parse(text) as typeof document
}

function describeOperation(capability: Capability, path: string, named: NamedSchemas) {
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
    parameters: [
      ...parametersOf(capability, schema, path, named),
      ...headerParameters(schema, rest),
    ],
    ...(hasBody(capability) && bodyOf(capability, schema, path, named)),
    responses: { ...successes(capability, named), default: ref('responses', 'Refused') },
    'x-refusals': refusalsOf(capability),
  }
}

/** The body, if there are fields that are not in the path; optional if none is required. */
function bodyOf({ example }: Capability, schema: z.ZodObject, path: string, named: NamedSchemas) {
  const inBody = <F extends object>(fields: F): F =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !path.includes(`{${name}}`))) as F
  const fields = z.strictObject(inBody(schema.shape))
  if (Object.keys(fields.shape).length === 0) return
  const json: { required?: string[] } = jsonSchemaOf(fields, 'input', named)
  const content = { 'application/json': { schema: json, example: inBody(example) } }
  return { requestBody: { required: Boolean(json.required?.length), content } }
}

function parametersOf(
  { rest, example }: Capability,
  schema: z.ZodObject,
  path: string,
  named: NamedSchemas,
): Parameter[] {
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input', named) as {
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
      ...((inPath || required.includes(name)) && { required: true }),
      ...(typeof description === 'string' && { description }),
      ...(sample !== undefined && sample !== exampleId && { example: sample }),
      schema: parameter,
    }
  })
}

const prefer = { name: 'Prefer', in: 'header', schema: { type: 'string' } }
const headers = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeated key and body get the first answer',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
  PreferWait: {
    ...prefer,
    description: '`wait=N`: wait up to N seconds (0 to 60) for the final answer',
    example: 'wait=10',
  },
  PreferTimeZone: {
    ...prefer,
    description: '`time-zone=…`: with `text/csv`, adds a column with the time in this zone',
    example: 'time-zone=Asia/Makassar',
  },
}
const headerParameters = ({ shape }: z.ZodObject, { csv }: Capability['rest']) => [
  ...('idempotency_key' in shape ? [ref('parameters', 'IdempotencyKey')] : []),
  ...('wait' in shape ? [ref('parameters', 'PreferWait')] : []),
  ...(csv ? [ref('parameters', 'PreferTimeZone')] : []),
]

function successes({ operation, rest, a2a }: Capability, named: NamedSchemas) {
  const { statuses = { 200: 'OK' }, file, live, csv } = rest
  const text = { schema: { type: 'string' } }
  const answer = namedAnswer(answerSchemaOf(operation), answerName(operation, a2a))
  const content: Content = file
    ? { [file.type]: text }
    : {
        'application/json': { schema: jsonSchemaOf(answer, 'output', named) },
        ...(live && { 'text/event-stream': text }),
        ...(csv && { 'text/csv': text }),
      }
  return Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [status, { description, content }]),
  )
}

/** The forms of an answer have names too: `CompactVenueListAnswer`. */
function namedAnswer(answer: OutputSchema, id: string): OutputSchema {
  if (answer instanceof z.ZodObject) return answer.meta({ id })
  const { discriminator } = answer.def
  const formOf = ({ shape }: z.ZodObject) =>
    String((shape[discriminator] as z.ZodLiteral | undefined)?.value)
  return changeForms(answer, (one) => one.meta({ id: pascalCase(formOf(one)) + id })).meta({ id })
}

/** Named after its schema, after the schema of its only field, or after its operation. */
function answerName({ output }: Capability['operation'], a2a: string): string {
  const [only, ...others] = Object.values(output instanceof z.ZodObject ? output.shape : {})
  const schemas = [output, ...(others.length === 0 && only ? [only] : [])]
  const ids = schemas.flatMap((schema) => z.globalRegistry.get(schema)?.id ?? [])
  return `${ids[0] ?? pascalCase(a2a)}Answer`
}

const pascalCase = (name: string) =>
  name.replace(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase())

const always = [
  ...(['invalid_request', 'internal_error', 'overloaded', 'service_unavailable'] as const),
  ...(['unauthenticated', 'account_suspended', 'origin_not_allowed'] as const),
  ...(['rate_limited', 'account_rate_limited', 'too_many_in_flight'] as const),
] satisfies ErrorCode[]
const ofTier: Record<string, readonly ErrorCode[]> = {
  free: ['quota_exceeded'],
  pro: ['quota_exceeded', 'plan_required'],
}
const ofBody = ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const

/** Every code with which an operation can be refused. */
function refusalsOf(capability: Capability): ErrorCode[] {
  const { operation, rest } = capability
  const possible = new Set<string>([
    ...operation.errors,
    ...always,
    ...(ofTier[rest.tier ?? operation.tier] ?? []),
    ...(operation.scope ? ['scope_required'] : []),
    ...(hasBody(capability) ? ofBody : []),
  ])
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => possible.has(code))
}

const refusal = {
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
