import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** Schemas that a document defines once under a name; each use becomes a `$ref`. */
export type SharedSchemas = { prefix: string; names: Map<unknown, string> }

/** JSON Schema 2020-12 without safe-integer bounds or patterns that repeat a `format`. */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  shared?: SharedSchemas,
): JsonSchema {
  const { $schema: _, ...document } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema, path }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.format) delete jsonSchema.pattern
      const name = shared?.names.get(zodSchema)
      if (!name || path.length === 0) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      jsonSchema.$ref = shared?.prefix + name
    },
  })
  return document
}
