import { z } from 'zod'
import type { Capability } from '../../contract/capability.ts'
import { idNamesOf } from '../../contract/input-names.ts'
import { type JsonSchema, jsonSchemaOf } from '../calls/json-schema.ts'

/** Fields that no tool lists, because repeated calls by models are safe without them. */
const unlisted = ['idempotency_key', 'wait', 'reminders']

/** Bounds that are not listed, because a refusal explains them if a call violates them. */
const bounds = [
  ...['additionalProperties', 'maxLength', 'minLength', 'minimum', 'minItems', 'maxItems'],
  ...['pattern', 'examples', 'title'],
]

/** A capability's field names at MCP: `venue`, `booking_id` and so on, whatever the schema uses. */
export function toolNamesOf({ operation, rest }: Capability): Record<string, string> {
  const [id] = idNamesOf(rest.route)
  const names = { venue_id: 'venue', slug: 'venue', ...(id && { id }) }
  return Object.fromEntries(
    Object.entries(names).filter(([field]) => field in operation.input.shape),
  )
}

type Properties = Record<string, JsonSchema>

/** A capability's fields in its tool, and which of them are required. */
function toolFieldsOf(capability: Capability): { fields: Properties; required: string[] } {
  const names = toolNamesOf(capability)
  const shape = Object.entries(capability.operation.input.shape)
  const schema = z.object(Object.fromEntries(shape.filter(([name]) => !unlisted.includes(name))))
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input') as {
    properties?: Properties
    required?: string[]
  }
  const said = new Set<unknown>()
  return {
    fields: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [names[name] ?? name, brief(field, said)]),
    ),
    required: required.map((name) => names[name] ?? name),
  }
}

/** A schema without the parts that a model does not need, or has been told (`said`). */
function brief(schema: JsonSchema, said: Set<unknown>): JsonSchema {
  const { properties, items, required, ...rest } = schema
  const isNew = (key: string, value: unknown) => key !== 'description' || !said.has(value)
  const fields = Object.entries(rest)
    .filter(([key, value]) => !bounds.includes(key) && !isWide(key, rest) && isNew(key, value))
    .map(([key, value]) => [
      key,
      key === 'description' ? String(value).replaceAll('`venue_id`', '`venue`') : value,
    ])
  said.add(rest.description)
  return {
    ...Object.fromEntries(fields),
    ...(required !== undefined && { required: (required as string[]).map(nameOf) }),
    ...(properties !== undefined && { properties: briefOf(properties as Properties, said) }),
    ...(items !== undefined && { items: brief(items as JsonSchema, said) }),
  }
}

const nameOf = (name: string) => (name === 'venue_id' ? 'venue' : name)

const briefOf = (properties: Properties, said: Set<unknown>): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [nameOf(name), brief(field, said)]),
  )

/** Whether a bound merely states the range of its type. */
const isWide = (key: string, schema: JsonSchema) =>
  key === 'maximum' && Number(schema[key]) >= 2 ** 31 - 1

export type InputSchema = JsonSchema & { type: 'object' }

type Listed = { actions: ReadonlyMap<string, Capability>; fallback: string | null }

/** The input of a tool: the fields of all its actions, plus `action` if it has several. */
export function inputSchemaOf({ actions, fallback }: Listed): InputSchema {
  const all = [...actions].map(([action, capability]) => ({ action, ...toolFieldsOf(capability) }))
  const fields: Properties = Object.assign({}, ...all.map(({ fields }) => fields).toReversed())
  const required = Object.keys(fields).filter((name) =>
    all.every((one) => one.required.includes(name)),
  )
  if (all.length === 1) return { type: 'object', properties: fields, required }
  const needs = all.flatMap((one) => {
    const own = one.required.filter((name) => !required.includes(name))
    return own.length > 0 ? [`${one.action} needs ${own.join(', ')}`] : []
  })
  const action = {
    enum: all.map(({ action }) => action),
    ...(needs.length > 0 && { description: needs.join('; ') }),
    ...(fallback !== null && { default: fallback }),
  }
  return {
    type: 'object',
    properties: { action, ...fields },
    required: [...(fallback === null ? ['action'] : []), ...required],
  }
}
