import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type ErrorCode, errorCatalogue } from '../../src/base/error-catalogue.ts'
import type { Capability } from '../../src/contract/capability.ts'
import { jsonSchemaOf } from '../../src/doors/calls/json-schema.ts'
import { answerSchemaOf } from '../../src/doors/calls/read-fields.ts'
import { openApiDocument } from '../../src/doors/rest/openapi.ts'
import { catalogue } from '../../src/network.ts'
import type { FuzzedCall } from './fuzz-inputs.ts'
import { openMcpClient } from './mcp-tool.ts'
import { bearer, postEnvelope } from './open-doors.ts'

/**
 * Sends a call and returns the body and its code, `ok` for success. Throws if the answer is an
 * internal error or does not match what the door publishes.
 */
export type FuzzedDoor = (call: FuzzedCall) => Promise<{ code: string; body: unknown }>

const ajv = new Ajv2020({ strict: false, allErrors: false })
addFormats.default(ajv)
const openApi = openApiDocument()
ajv.addSchema(openApi, 'api')
const validators = new Map<string, ValidateFunction>()

function validate(name: string, schema: () => object, value: unknown): void {
  const validator = validators.get(name) ?? ajv.compile(schema())
  validators.set(name, validator)
  if (!validator(value)) {
    const shown = JSON.stringify(value)?.slice(0, 2_000)
    throw new Error(`${name}: ${ajv.errorsText(validator.errors)} in ${shown}`)
  }
}

const byIntent = new Map(catalogue.map((capability) => [capability.a2a, capability]))

function capabilityOf(intent: string): Capability {
  const capability = byIntent.get(intent)
  if (!capability) throw new Error(`no intent is called ${intent}`)
  return capability
}

/** A refusal with a code from the catalogue that is not an internal error. */
function refused(code: unknown, answer: unknown): { code: string; body: unknown } {
  const known = Object.entries(errorCatalogue).find(([name]) => name === code)
  if (known && (known[1].status < 500 || code === 'overloaded'))
    return { code: known[0], body: answer }
  throw new Error(`refused with ${code}: ${JSON.stringify(answer)?.slice(0, 2_000)}`)
}

/** Answers that belong to no single route, for instance if an id ends its path early. */
const ANY_ROUTE = ['not_found', 'method_not_allowed', 'malformed_request']

/** REST, compared with the OpenAPI document. */
export const restDoor =
  (url: string, key: string): FuzzedDoor =>
  async ({ intent, input }) => {
    const { rest } = capabilityOf(intent)
    const { route, rename = {} } = rest
    const [method = '', path = ''] = route.split(' ')
    const { id, ...fields } = path.includes('{id}') ? input : { id: null, ...input }
    const names = Object.fromEntries(Object.entries(rename).map(([name, field]) => [field, name]))
    const isQuery = method === 'GET'
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(isQuery ? fields : {})) {
      query.append(names[name] ?? name, asText(value))
    }
    const address = path.replace('{id}', encodeURIComponent(asText(id)))
    const response = await fetch(`${url}${address}?${query}`, {
      method,
      headers: { ...bearer(key), ...(!isQuery && { 'content-type': 'application/json' }) },
      body: isQuery ? null : JSON.stringify(fields),
    })
    const type = response.headers.get('content-type')?.split(';', 1)[0] ?? ''
    const text = await response.text()
    const body = type.endsWith('json') ? JSON.parse(text) : text
    const said = response.ok ? { code: 'ok', body } : refused(body.code, body)
    // An empty id is the address of the list.
    const isList = path.endsWith('/{id}') && id === ''
    if (isList || ANY_ROUTE.includes(said.code)) return said
    if (!response.ok) {
      const described = openApi.paths[path]?.[method.toLowerCase()]
      if (!described?.['x-refusals'].includes(said.code as ErrorCode))
        throw new Error(`${method} ${path} is not described as refused with ${said.code}`)
      validate('Refusal', () => ({ $ref: 'api#/components/schemas/Refusal' }), body)
      return said
    }
    const answers: Record<string, { $ref: string }> =
      openApi.paths[path]?.[method.toLowerCase()]?.responses ?? {}
    const { $ref } = answers[response.status] ?? { $ref: 'of no such status' }
    const where = `api${$ref}/content/${encodeURIComponent(type.replaceAll('/', '~1'))}/schema`
    validate(`${method} ${path} ${response.status}`, () => ({ $ref: where }), body)
    return said
  }

/** An address cannot contain lone surrogates. */
const asText = (value: unknown) =>
  (typeof value === 'string' ? value : `${JSON.stringify(value)}`).toWellFormed()

/** A2A: every answer is an envelope. */
export const a2aDoor =
  (url: string, key: string): FuzzedDoor =>
  async ({ intent, input }) => {
    const envelope = { intent, payload: input }
    const { status, body } = await postEnvelope(url, key, envelope)
    if (body.protocol !== 'service/a2a/v1') throw new Error(`no envelope: ${JSON.stringify(body)}`)
    if (status !== 200) return refused(body.error?.code, body)
    const output = answerSchemaOf(capabilityOf(intent).operation)
    validate(`A2A ${intent}`, () => jsonSchemaOf(output, 'output'), body.payload)
    return { code: 'ok', body: body.payload }
  }

/** MCP through the official client. */
export async function openMcpDoor(url: string, key: string) {
  const client = await openMcpClient(url, key)
  await client.listTools()
  const call: FuzzedDoor = async ({ intent, input }) => {
    const { mcp, operation } = capabilityOf(intent)
    const action = mcp?.action === undefined ? {} : { action: mcp.action }
    try {
      const call = { name: mcp?.tool ?? intent, arguments: { ...input, ...action } }
      const result = await client.callTool(call)
      const body = JSON.parse((result.content as { text: string }[])[0]?.text ?? '')
      if (result.isError) return refused(body.error.code, result)
      const schema = () => jsonSchemaOf(answerSchemaOf(operation), 'output')
      validate(`A2A ${intent}`, schema, body)
      return { code: 'ok', body }
    } catch (error) {
      // Invalid parameters.
      if (!(error instanceof McpError) || error.code !== -32602) throw error
      return { code: 'invalid_params', body: error.message }
    }
  }
  return { call, close: () => client.close() }
}
