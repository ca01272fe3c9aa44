export type Schema = Record<string, unknown>

/** What callers send (`input`) or receive (`output`) under one name, as a JSON Schema. */
export type Surface = { side: 'input' | 'output'; schema: Schema }

/** Everything callers depend on, by name; `resolve` follows a `$ref` within the document. */
export type Surfaces = { named: Map<string, Surface>; resolve(schema: Schema): Schema }

/** The compared parts of openapi.json. */
type OpenApi = {
  paths: Record<string, Record<string, OpenApiOperation>>
  webhooks: Record<string, { post: OpenApiOperation }>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses?: Record<string, Body>
  }
}
type Parameter = { in: string; name: string; required?: boolean; schema: Schema }
type OpenApiOperation = {
  security?: Record<string, string[]>[]
  parameters: (Parameter | { $ref: string })[]
  requestBody?: Body & { required: boolean }
  responses: Record<string, Body>
}
type Body = { $ref?: string; description?: string; content?: Record<string, { schema: Schema }> }

/** intents.json: the names at A2A and MCP; their schemas are those of REST. */
export type IntentNames = Record<string, { tool: string | null; input: Names; output: Names }>
type Names = { required: readonly string[]; optional: readonly string[] }

/** REST and webhooks. Keys and scopes that an operation needs in any case are required input. */
export function restSurfaces(document: OpenApi): Surfaces {
  const { schemas, parameters, responses = {} } = document.components
  const surfaces = new Map<string, Surface>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`
      surfaces.set(name, { side: 'input', schema: requestOf(operation, parameters) })
      for (const [status, response] of Object.entries(operation.responses)) {
        if (!status.startsWith('2')) continue
        const { content = {} } = response.$ref ? (responses[nameOf(response)] ?? {}) : response
        for (const [type, { schema }] of Object.entries(content)) {
          surfaces.set(`${name} ${status} ${type}`, { side: 'output', schema })
        }
      }
    }
  }
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const { 'application/json': body } = post.requestBody?.content ?? {}
    if (body) surfaces.set(`webhook ${type}`, { side: 'output', schema: body.schema })
  }
  for (const side of ['output', 'input'] as const) {
    for (const name of namesIn([...surfaces.values()].filter((one) => one.side === side))) {
      const { [name]: schema = {} } = schemas
      surfaces.set(side === 'output' ? name : `${name} as input`, { side, schema })
    }
  }
  return { named: surfaces, resolve: (schema) => schemas[nameOf(schema)] ?? schema }

  /** The names that a schema refers to, also through other names. */
  function namesIn(schema: unknown, names = new Set<string>()): Set<string> {
    for (const [ref] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/\w+"/g)) {
      const name = nameOf({ $ref: JSON.parse(ref) })
      if (!names.has(name)) namesIn(schemas[name], names.add(name))
    }
    return names
  }
}

const nameOf = ({ $ref }: Schema) => String($ref).split('/').at(-1) ?? ''

function requestOf(
  { security = [{}], parameters, requestBody }: OpenApiOperation,
  named: Record<string, Parameter>,
): Schema {
  const ways = security.map((way) =>
    Object.entries(way).flatMap(([key, scopes]) => [key, ...scopes]),
  )
  const [first = [], ...others] = ways
  const needed = first.filter((name) => others.every((names) => names.includes(name)))
  const inputs = parameters.map((parameter) => {
    const one = '$ref' in parameter ? named[nameOf(parameter)] : parameter
    const { in: where, name, required = false, schema } = one ?? { in: '', name: '', schema: {} }
    return { name: `${where}.${name}`, required, schema }
  })
  const { 'application/json': body } = requestBody?.content ?? {}
  if (body)
    inputs.push({ name: 'body', required: requestBody?.required ?? false, schema: body.schema })
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...ways.flat().map((name) => [name, {}]),
      ...inputs.map(({ name, schema }) => [name, schema]),
    ]),
    required: [...needed, ...inputs.filter(({ required }) => required).map(({ name }) => name)],
  }
}

export function intentSurfaces(names: IntentNames): Surfaces {
  const surfaces = new Map<string, Surface>()
  for (const [intent, { tool, input, output }] of Object.entries(names)) {
    for (const door of [`intent ${intent}`, ...(tool ? [`tool ${tool}`] : [])]) {
      surfaces.set(door, { side: 'input', schema: objectOf(input) })
      surfaces.set(`${door} answer`, { side: 'output', schema: objectOf(output) })
    }
  }
  return { named: surfaces, resolve: (schema) => schema }
}

const objectOf = ({ required, optional }: Names): Schema => ({
  type: 'object',
  properties: Object.fromEntries([...required, ...optional].map((name) => [name, {}])),
  required,
})
