import type { Capability } from '../../contract/capability.ts'
import { openApiDocument, type Parameter } from '../../doors/rest/openapi.ts'
import { catalogue } from '../../network.ts'
import recorded from './recorded-answers.json' with { type: 'json' }
import titles from './reference-titles.json' with { type: 'json' }

/** Inputs and their answers by A2A intent, recorded by `test/system/reference-answers.test.ts`. */
export type RecordedAnswers = Record<string, { input: Record<string, unknown>; answer: unknown }>

const answers: RecordedAnswers = recorded

/** A recorded call with its answer; `$URL` stands for the address of the service. */
const recordedCall = (a2a: string): RecordedAnswers[string] | undefined => answers[a2a]

type OpenApi = ReturnType<typeof openApiDocument>
type Entry = OpenApi['paths'][string][string]
type Described = Omit<Entry, 'parameters'> & { parameters: Parameter[] }

/** An operation in the reference: its entry in the OpenAPI document, and its other names. */
export type ReferenceOperation = Described & {
  /** the last part of its page's address */
  id: string
  method: string
  path: string
  a2a: string
  /** an example of its input, in the form that A2A and MCP accept */
  input: Record<string, unknown>
  /** the recorded answer to that input, if any */
  answer: unknown
  tool: string | null
  capability: Capability
}

export const openApi = openApiDocument()

const headers: Record<string, Parameter> = openApi.components.parameters
/** A parameter, in place of a reference to a header. */
const inFull = (one: Entry['parameters'][number]): Parameter | [] =>
  '$ref' in one ? (headers[one.$ref.split('/').at(-1) ?? ''] ?? []) : one

const operations = catalogue.map((capability): ReferenceOperation => {
  const { rest, a2a, mcp, example } = capability
  const [method = '', path = ''] = rest.route.split(' ')
  const found = openApi.paths[path]?.[method.toLowerCase()]
  if (!found) throw new Error(`${rest.route} is not described`)
  const described = { ...found, parameters: found.parameters.flatMap(inFull) }
  const tool = mcp ? `${mcp.tool}${mcp.action ? ` (action ${mcp.action})` : ''}` : null
  const call = recordedCall(a2a)
  const entry = call ? withExamples(described, call.input, rest.rename) : described
  const { input = example, answer } = call ?? {}
  const names = { id: described.operationId, method, path, a2a, tool }
  return { ...entry, ...names, input, answer, capability }
})

/** The operation with examples taken from one call, so that its page is consistent. */
function withExamples(
  described: Described,
  input: Record<string, unknown>,
  rename: Record<string, string> = {},
): Described {
  const parameters = described.parameters.map((parameter) => {
    const value = input[rename[parameter.name] ?? parameter.name]
    const { example: _, ...rest } = { example: undefined, ...parameter }
    return parameter.in === 'header' || value === undefined ? rest : { ...rest, example: value }
  })
  const inPath = new Set(described.parameters.map(({ name }) => name))
  const body = described.requestBody?.content['application/json']
  const example = Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.has(name)))
  return {
    ...described,
    parameters,
    ...(body && {
      requestBody: {
        ...described.requestBody,
        content: { 'application/json': { ...body, example } },
      },
    }),
  } as Described
}

const topics: Readonly<Record<string, string>> = titles
const order = Object.keys(topics)

/** The operations by topic, with bookings first. */
export const referenceGroups = [...Map.groupBy(operations, ({ tags: [tag = ''] }) => tag)]
  .map(([tag, some]) => ({ tag, title: topics[tag] ?? tag, operations: some }))
  .toSorted((one, other) => order.indexOf(one.tag) - order.indexOf(other.tag))

export const referenceOperations = new Map(operations.map((one) => [one.id, one]))
