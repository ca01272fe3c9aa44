import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** The schemas of a document that have an `id`, by that name; each use is a `$ref`. */
export type NamedSchemas = Map<string, JsonSchema>

/** Zod's descriptions without the names, so that a schema is written out wherever it is used. */
const unnamed = Object.assign(z.registry<Record<string, unknown>>(), {
  get: (schema: z.core.$ZodType) => ({ ...z.globalRegistry.get(schema), id: undefined }),
})

/**
 * JSON Schema 2020-12 without safe-integer bounds or patterns that repeat a `format`. Answers are
 * complete, so they state no defaults, and they admit fields that are yet to come. With `named`,
 * schemas with an `id` are collected there.
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  named?: NamedSchemas,
): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...document
  } = z.toJSONSchema(schema, {
    io,
    ...(!named && { metadata: unnamed }),
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.format || jsonSchema.$ref) delete jsonSchema.pattern
      if (io === 'input') return
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      delete jsonSchema.default
    },
  })
  for (const [name, definition] of Object.entries($defs ?? {})) {
    if (named) defineOnce(named, name, definition)
  }
  return document
}

/** Adds a definition; throws if there is another one of that name. */
export function defineOnce<T>(definitions: Map<string, T>, name: string, definition: T): void {
  const other = definitions.get(name)
  if (other && !isDeepStrictEqual(other, definition)) throw new Error(`${name} is ambiguous`)
  definitions.set(name, definition)
}
