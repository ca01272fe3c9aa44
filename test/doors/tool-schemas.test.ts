import { expect, test } from 'vitest'
import { structuredDescriptions, toolDescriptions } from '../../src/doors/mcp/tools.ts'
import { catalogue } from '../../src/network.ts'

type Schema = Record<string, unknown>

/**
 * The words that the function schemas of Gemini, OpenAI (strict as well) and Anthropic have in
 * common. Others, such as `default`, `const`, `format`, `anyOf` or `$ref`, make one of them refuse
 * all of a request's tools.
 */
const common = new Set(['type', 'description', 'enum', 'properties', 'required', 'items'])
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object']

/** What a provider would refuse in a schema, by the path to it. */
function* faultsIn(schema: Schema, path: string): Generator<string> {
  const {
    type,
    enum: options,
    properties,
    required,
    items,
    description,
  } = schema as {
    type?: string
    enum?: unknown[]
    properties?: Record<string, Schema>
    required?: string[]
    items?: Schema
    description?: unknown
  }
  for (const word of Object.keys(schema)) if (!common.has(word)) yield `${path}: ${word}`
  if (!types.includes(type ?? '')) yield `${path}: type ${type}`
  if (description !== undefined && (typeof description !== 'string' || description === '')) {
    yield `${path}: description`
  }
  const isText = (one: unknown) => typeof one === 'string' && one !== ''
  if (options && !(type === 'string' && options.length > 0 && options.every(isText))) {
    yield `${path}: an enum of ${JSON.stringify(options)}`
  }
  if ((type === 'array') !== (items !== undefined)) yield `${path}: items`
  if ((type === 'object') !== (properties !== undefined)) yield `${path}: properties`
  if (required && (required.length === 0 || !required.every((one) => properties?.[one]))) {
    yield `${path}: required ${required}`
  }
  if (properties && Object.keys(properties).length === 0) yield `${path}: no property`
  for (const [name, inner] of Object.entries(properties ?? {})) {
    if (!/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(name)) yield `${path}: the name ${name}`
    yield* faultsIn(inner, `${path}/${name}`)
  }
  if (items) yield* faultsIn(items, `${path}[]`)
}

test('every provider of models takes the schemas of all tools', () => {
  const faults = toolDescriptions.flatMap(({ name, inputSchema }) => [
    ...(inputSchema.type === 'object' ? [] : [`${name}: not an object`]),
    ...faultsIn(inputSchema, name),
  ])
  expect(faults).toEqual([])
})

test('a name and a description of a tool stay within every provider’s limits', () => {
  expect(toolDescriptions.length).toBeLessThanOrEqual(22)
  for (const { name, title, description, annotations } of toolDescriptions) {
    expect(name).toMatch(/^[a-z][a-z_]{0,63}$/)
    expect(description.length).toBeLessThanOrEqual(1_024)
    expect(annotations.title).toBe(title)
  }
})

test('a tool that costs or cancels says that it is destructive; one that holds does not', () => {
  const { readers, ask, free } = Object.groupBy(toolDescriptions, ({ annotations }) => {
    if (annotations.readOnlyHint) return 'readers'
    return annotations.destructiveHint ? 'ask' : 'free'
  })
  const names = (some: typeof ask) => some?.map(({ name }) => name)
  expect(names(ask)).toEqual([
    ...['confirm_booking', 'amend_booking', 'cancel_booking', 'answer_offer'],
    ...['cancel_watch', 'book_itinerary', 'cancel_itinerary'],
  ])
  expect(names(free)).toEqual(['hold_slot', 'watch_slot'])
  expect(readers?.every(({ annotations }) => !annotations.destructiveHint)).toBe(true)
  for (const { operation, mcp } of catalogue) {
    if (mcp) expect(mcp.annotations.readOnlyHint).toBe(operation.scope !== 'bookings')
  }
})

test('the default that a tool states is what its operation does', () => {
  const limitOf = (name: string) => {
    const schema = toolDescriptions.find((one) => one.name === name)?.inputSchema
    const { limit } = (schema?.properties ?? {}) as Record<string, Schema>
    return limit?.description
  }
  expect(limitOf('list_bookings')).toBe('Default 20, at most 100')
  expect(limitOf('list_events')).toBe(
    'after: Default 100, at most 1000; newest: Default 20, at most 100',
  )
})

test('schemas of answers are there for clients that ask, and cost others nothing', () => {
  const described = toolDescriptions.filter(({ outputSchema }) => outputSchema)
  expect(described.map(({ name }) => name)).toEqual(['search', 'fetch'])
  for (const { outputSchema } of structuredDescriptions()) {
    expect(outputSchema?.type).toBe('object')
    expect(JSON.stringify(outputSchema)).not.toContain('$ref')
  }
})
