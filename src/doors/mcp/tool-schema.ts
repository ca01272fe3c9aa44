import { z } from 'zod'
import type { Capability } from '../../contract/capability.ts'
import { idNamesOf } from '../../contract/input-names.ts'
import { type JsonSchema, jsonSchemaOf } from '../calls/json-schema.ts'
import { answerSchemaOf } from '../calls/read-fields.ts'
import type { DocumentTool } from './document-tools.ts'

/**
 * Fields that only some tools list: those without which a model's repeated calls are safe, and the
 * guest, whom confirm_booking takes for a hold.
 */
const unlisted = ['idempotency_key', 'wait', 'reminders', 'guest']

/** A capability's field names at MCP: `venue`, `booking_id` and so on, whatever the schema uses. */
export function toolNamesOf(
  { operation, rest }: Capability,
  document?: DocumentTool,
): Record<string, string> {
  if (document) return { [document.input.field]: document.input.name }
  const [id] = idNamesOf(rest.route)
  const names = { venue_id: 'venue', slug: 'venue', ...(id && { id }) }
  return Object.fromEntries(
    Object.entries(names).filter(([field]) => field in operation.input.shape),
  )
}

type Field = JsonSchema & { description?: string }
type Fields = Record<string, Field>

/** A capability's fields in its tool, and which of them are required. */
function toolFieldsOf(
  capability: Capability,
  lists: readonly string[],
): { fields: Fields; required: string[] } {
  const names = toolNamesOf(capability)
  const shape = Object.entries(capability.operation.input.shape).filter(
    ([name]) => !unlisted.includes(name) || lists.includes(name),
  )
  const named = (name: string) => names[name] ?? name
  const schema = jsonSchemaOf(z.object(Object.fromEntries(shape)), 'input')
  const { properties = {}, required = [] } = schema as {
    properties?: Properties
    required?: string[]
  }
  return { fields: briefOf(properties, new Set(), named), required: required.map(named) }
}

/**
 * A schema in the words that the function schemas of all model providers take: `type`,
 * `description`, `enum`, `properties`, `required` and `items`. A default and a maximum become
 * text; a refusal explains other bounds if a call violates them. What a model has been told
 * (`said`) is not repeated.
 */
function brief(schema: JsonSchema, said: Set<unknown>): Field {
  const { type, enum: options, properties, items, required } = schema
  const isNew = !said.has(schema.description)
  said.add(schema.description)
  const texts = [isNew && schema.description, boundsOf(schema)].filter(Boolean)
  const description = texts.join('. ').replaceAll('`venue_id`', '`venue`')
  return {
    type,
    ...(description && { description }),
    ...(options !== undefined && { enum: options }),
    ...(required !== undefined && { required: (required as string[]).map(nameOf) }),
    ...(properties !== undefined && {
      properties: briefOf(properties as Properties, said, nameOf),
    }),
    ...(items !== undefined && { items: brief(items as JsonSchema, said) }),
  }
}

type Properties = Record<string, JsonSchema>

const nameOf = (name: string) => (name === 'venue_id' ? 'venue' : name)

const briefOf = (fields: Properties, said: Set<unknown>, named: (name: string) => string): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [named(name), brief(field, said)]),
  )

/** As in `Default 5, at most 50`. */
function boundsOf({ default: value, maximum }: JsonSchema): string {
  const isNarrow = Number(maximum) < 2 ** 31 - 1
  const bounds = [value && `default ${value}`, isNarrow && `at most ${maximum}`]
  const text = bounds.filter(Boolean).join(', ')
  return text && `${text[0]?.toUpperCase()}${text.slice(1)}`
}

export type ObjectSchema = JsonSchema & { type: 'object' }

type Listed = {
  actions: ReadonlyMap<string, Capability>
  fallback: string | null
  document?: DocumentTool | undefined
}

/** The input of a tool: the fields of all its actions, plus `action` if it has several. */
export function inputSchemaOf(
  { actions, fallback, document }: Listed,
  lists: readonly string[] = [],
): ObjectSchema {
  if (document) {
    const { name, about } = document.input
    return objectOf({ [name]: { type: 'string', description: about } }, [name])
  }
  const all = [...actions].map(([action, one]) => ({ action, ...toolFieldsOf(one, lists) }))
  const fields: Fields = {}
  for (const { action, fields: own } of all) {
    for (const [name, field] of Object.entries(own)) {
      const other = fields[name]
      const first = all.find((one) => name in one.fields)?.action
      fields[name] = other ? either([`${first}`, other], [action, field]) : field
    }
  }
  const common = Object.keys(fields).filter((name) =>
    all.every((one) => one.required.includes(name)),
  )
  if (all.length === 1) return objectOf(fields, common)
  const needs = all.flatMap((one) => {
    const own = one.required.filter((name) => !common.includes(name))
    return own.length > 0 ? [`${one.action} needs ${own.join(', ')}`] : []
  })
  const texts = [...needs, ...(fallback === null ? [] : [`default ${fallback}`])]
  const action = {
    type: 'string',
    enum: all.map(({ action }) => action),
    ...(texts.length > 0 && { description: texts.join('; ') }),
  }
  const required = [...(fallback === null ? ['action'] : []), ...common]
  return objectOf({ action, ...fields }, required)
}

/** Some providers refuse an empty list. */
const objectOf = (properties: Fields, required: string[]): ObjectSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

/** A field of two actions, with the default of each if they differ. */
function either([first, one]: [string, Field], [second, other]: [string, Field]): Field {
  const texts = [one.description, other.description]
  if (texts[0] === texts[1] || !texts.every((text) => text?.startsWith('Default'))) return one
  return { ...one, description: `${first}: ${texts[0]}; ${second}: ${texts[1]}` }
}

/** The answer of a tool: that of its only action, or of one of its actions. */
export function outputSchemaOf({ actions, document }: Omit<Listed, 'fallback'>): ObjectSchema {
  if (document) return { ...jsonSchemaOf(document.output, 'output'), type: 'object' }
  const forms = [...actions.values()].map(({ operation }) =>
    jsonSchemaOf(answerSchemaOf(operation), 'output'),
  )
  return forms.length === 1 ? { ...forms[0], type: 'object' } : { type: 'object', anyOf: forms }
}
