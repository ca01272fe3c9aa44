import { z } from 'zod'
import { NETWORK_VERSION } from '../../base/ids.ts'
import { networkProfile } from '../../base/network.ts'
import { defaultScopes, type Scope } from '../../base/scopes.ts'
import { type Capability, exampleId } from '../../contract/capability.ts'
import { catalogue } from '../../network.ts'
import { describeOperation as describeText } from '../calls/describe-operation.ts'
import { type JsonSchema, jsonSchemaOf, type NamedSchemas } from '../calls/json-schema.ts'
import {
  answerFieldsOf,
  idOf,
  type Named,
  pascalCase,
  type Response,
  successesOf,
} from './openapi-answers.ts'
import { refusalsOf, refused, withRefusalCodes } from './openapi-refusals.ts'
import {
  header,
  ref,
  webhookDescriptions,
  webhookHeaders,
  webhookResponses,
} from './openapi-webhooks.ts'
import { hasBody, restSchema } from './request-input.ts'

export type Parameter = Record<'name' | 'in', string> & {
  required?: true
  description?: string
  example?: unknown
  schema: JsonSchema
}

/** The names of the security schemes. */
const API_KEY = 'apiKey'
const SIGN_IN = 'signIn'

/** Describes the REST door in OpenAPI 3.1, generated from the same table as its routes. */
export function openApiDocument() {
  const schemas: NamedSchemas = new Map()
  const responses = new Map<string, Response>([['Refused', refused(schemas)]])
  const paths: Record<string, Record<string, ReturnType<typeof describeOperation>>> = {}
  for (const capability of catalogue) {
    const [method = '', path = ''] = capability.rest.route.split(' ')
    const described = describeOperation(capability, path, { schemas, responses })
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
    webhooks: webhookDescriptions(schemas),
    components: {
      securitySchemes: {
        [API_KEY]: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `service_live_…`, or `service_test_…` of the sandbox',
        },
        [SIGN_IN]: {
          type: 'oauth2',
          description: 'For clients whose users sign in: OAuth 2.1 with PKCE (S256)',
          flows: {
            authorizationCode: {
              authorizationUrl: '/oauth/authorize',
              tokenUrl: '/oauth/token',
              refreshUrl: '/oauth/token',
              scopes: Object.fromEntries(defaultScopes.map((scope) => [scope, `May use ${scope}`])),
            },
          },
        },
      },
      parameters: { ...headers, ...webhookHeaders },
      responses: { ...inOrder(responses), ...webhookResponses },
      schemas: inOrder(schemas),
    },
  }
  const text = JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/')
  return JSON.parse(text) as typeof document
}

const inOrder = <T>(named: Map<string, T>): Record<string, T> =>
  Object.fromEntries([...named].toSorted(([one], [two]) => (one < two ? -1 : 1)))

function describeOperation(capability: Capability, path: string, named: Named) {
  const { operation, rest, a2a } = capability
  const { scope, tier } = operation
  const schema = restSchema(capability)
  const isOpen = (rest.tier ?? tier) === 'open'
  return {
    operationId: a2a.replace('.', '_'),
    summary: operation.summary,
    description: describeText(operation),
    tags: [a2a.split('.', 1)[0]],
    security: isOpen ? [{}, ...securityOf(undefined)] : securityOf(scope),
    parameters: [
      ...parametersOf(capability, schema, path, named.schemas),
      ...headerParameters(schema, rest),
    ],
    ...(hasBody(capability) && bodyOf(capability, schema, path, named.schemas)),
    responses: { ...successesOf(capability, named), default: ref('responses', 'Refused') },
    'x-answer-fields': answerFieldsOf(capability),
    'x-refusals': refusalsOf(capability),
  }
}

/** A key, or a sign-in if one can have the scope. */
function securityOf(scope: Scope | undefined): { [API_KEY]?: string[]; [SIGN_IN]?: string[] }[] {
  const needed = scope ? [scope] : []
  return scope === 'keys' ? [{ [API_KEY]: needed }] : [{ [API_KEY]: needed }, { [SIGN_IN]: needed }]
}

/** Fields with a header, which is how callers of REST are told to send them. */
const inHeaders = ['idempotency_key', 'wait']

/** The body, if other fields are left; optional if none is required. */
function bodyOf(
  { example, a2a }: Capability,
  schema: z.ZodObject,
  path: string,
  named: NamedSchemas,
) {
  const inBody = <F extends object>(fields: F): F =>
    Object.fromEntries(
      Object.entries(fields).filter(
        ([name]) => !path.includes(`{${name}}`) && !inHeaders.includes(name),
      ),
    ) as F
  const id = idOf(schema) ?? `${pascalCase(a2a)}Body`
  const fields = z.strictObject(inBody(schema.shape)).meta({ id })
  if (Object.keys(fields.shape).length === 0) return
  const content = {
    'application/json': { schema: jsonSchemaOf(fields, 'input', named), example: inBody(example) },
  }
  return { requestBody: { required: !fields.safeParse({}).success, content } }
}

function parametersOf(
  { rest, example }: Capability,
  schema: z.ZodObject,
  path: string,
  named: NamedSchemas,
): Parameter[] {
  const { properties = {}, required = [] } = jsonSchemaOf(
    z.object(schema.shape),
    'input',
    named,
  ) as {
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
      schema: withRefusalCodes(parameter),
    }
  })
}

const headers = {
  IdempotencyKey: header('Idempotency-Key', {
    description: 'A repeated key and body get the first answer; or `idempotency_key` in the body',
    pattern: '^[!-~]{1,255}$',
  }),
  PreferWait: header('Prefer', {
    description:
      '`wait=N`, or `wait` in the body: wait up to N seconds (0 to 60) for the final answer. A ' +
      'change waits 10 by default',
    examples: ['wait=10'],
  }),
  PreferTimeZone: header('Prefer', {
    description: '`time-zone=…`: with `text/csv`, adds a column with the time in this zone',
    examples: ['time-zone=Asia/Makassar'],
  }),
}
const headerParameters = ({ shape }: z.ZodObject, { csv }: Capability['rest']) => [
  ...('idempotency_key' in shape ? [ref('parameters', 'IdempotencyKey')] : []),
  ...('wait' in shape ? [ref('parameters', 'PreferWait')] : []),
  ...(csv ? [ref('parameters', 'PreferTimeZone')] : []),
]
