import type { JsonSchema } from '../../doors/calls/json-schema.ts'
import { type Html, html } from '../page/html.ts'
import { openApi } from './reference-operations.ts'
import { withCode } from './with-code.ts'

/** The parts of JSON Schema that this network's document uses. */
export type Schema = JsonSchema & {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  description?: string
  default?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

const MAX_LEVELS = 4

const schemas: Record<string, unknown> = openApi.components.schemas

function resolved(schema: Schema): Schema {
  if (!schema.$ref) return schema
  const { $ref, ...own } = schema
  return { ...(schemas[$ref.split('/').at(-1) ?? ''] as Schema), ...own }
}

/** The schema without the alternative `null`, and whether it had that alternative. */
function withoutNull(raw: Schema): { schema: Schema; isNullable: boolean } {
  const schema = resolved(raw)
  const choices = schema.anyOf ?? schema.oneOf
  const rest = choices?.filter(({ type }) => type !== 'null')
  if (!rest || rest.length === choices?.length) return { schema, isNullable: false }
  const [only] = rest
  const { anyOf: _, oneOf: __, ...own } = schema
  return rest.length === 1 && only
    ? { schema: { ...resolved(only), ...own }, isNullable: true }
    : { schema: { ...own, anyOf: rest }, isNullable: true }
}

/** A type in words: `string (uuid)`, `array of objects`, `integer or null`. */
function typeOf(raw: Schema): string {
  const { schema, isNullable } = withoutNull(raw)
  const name = nameOf(schema)
  return isNullable ? `${name} or null` : name
}

function nameOf(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ')
  if (schema.items) return `array of ${typeOf(schema.items)}`
  const type = [schema.type ?? (schema.properties ? 'object' : 'any')].flat().join(' or ')
  return schema.format ? `${type} (${schema.format})` : type
}

/** The object schemas in a value: the schema itself, or the schemas of its items. */
function objectsIn(raw: Schema): Schema[] {
  const { schema } = withoutNull(raw)
  if (schema.properties) return [schema]
  if (schema.items) return objectsIn(schema.items)
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap(objectsIn)
}

const code = (value: unknown) => html`<code>${JSON.stringify(value)}</code>`

function limitsOf(raw: Schema): Html {
  const { schema } = withoutNull(raw)
  const values = schema.enum ?? (schema.items && resolved(schema.items).enum)
  const listed = values?.map((value, nth) => html`${nth > 0 && ', '}${code(value)}`)
  const fallback = schema.default
  return html`${listed && html`<p class="values">One of ${listed}</p>`}${
    schema.const !== undefined && html`<p class="values">Always ${code(schema.const)}</p>`
  }${fallback !== undefined && html`<p class="values">Default ${code(fallback)}</p>`}`
}

/** The fields of an object, or of each of its forms; nested fields are collapsed. */
export function fieldsView(raw: Schema, level = 1): Html {
  const { oneOf: forms } = resolved(raw)
  if (forms) return html`${forms.map((form) => fieldsView(form, level))}`
  const fields = objectsIn(raw).flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, field]) => ({
      name,
      field,
      isRequired: required.includes(name),
    })),
  )
  return fields.length === 0
    ? html`<p class="quiet">No fields.</p>`
    : html`<dl class="fields">${fields.map(({ name, field, isRequired }) =>
        fieldView(name, field, isRequired, level),
      )}</dl>`
}

/** One field or parameter, with its type, meaning and limits. */
export function fieldView(name: string, field: Schema, isRequired: boolean, level = 1): Html {
  const inside = level < MAX_LEVELS && objectsIn(field).length > 0
  const { description } = withoutNull(field).schema
  return html`
<dt><code>${name}</code> <span class="type">${typeOf(field)}</span>${
    isRequired && html` <span class="required">required</span>`
  }</dt>
<dd>${description && html`<p>${withCode(description)}</p>`}${limitsOf(field)}${
    inside && html`<details><summary>Its fields</summary>${fieldsView(field, level + 1)}</details>`
  }</dd>`
}
