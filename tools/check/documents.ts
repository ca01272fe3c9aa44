import type { z } from 'zod'
import { jsonSchemaOf } from '../../src/doors/calls/json-schema.ts'
import { openApiDocument } from '../../src/doors/rest/openapi.ts'
import { catalogue } from '../../src/network.ts'
import type { IntentNames } from './surfaces.ts'

/** The current content of `openapi.json` and `intents.json`. */
export const doorDocuments = () => ({ openapi: openApiDocument(), intents: intentNames() })

/** Only the names at A2A and MCP: the schemas are those of REST, which openapi.json covers. */
const intentNames = (): IntentNames =>
  Object.fromEntries(
    catalogue.map(({ operation: { input, output }, a2a, mcp }) => [
      a2a,
      {
        tool: mcp?.tool ?? null,
        input: fieldNames(input, 'input'),
        output: fieldNames(output, 'output'),
      },
    ]),
  )

type Fields = { properties?: object; required?: string[] }

/** The names in a schema; of several forms, those of any form, required if all require them. */
function fieldNames(schema: z.ZodType, io: 'input' | 'output') {
  const json: Fields & { oneOf?: Fields[] } = jsonSchemaOf(schema, io)
  const forms = json.oneOf ?? [json]
  const names = [...new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))]
  const isRequired = (name: string) => forms.every(({ required = [] }) => required.includes(name))
  return {
    required: names.filter(isRequired),
    optional: names.filter((name) => !isRequired(name)),
  }
}
