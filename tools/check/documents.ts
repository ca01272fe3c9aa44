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

function fieldNames(schema: z.ZodType, io: 'input' | 'output') {
  const { properties = {}, required = [] } = jsonSchemaOf(schema, io) as {
    properties?: object
    required?: string[]
  }
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  return { required, optional }
}
