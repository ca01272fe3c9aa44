import { catalogue } from '../../catalogue.ts'
import type { Annotations } from '../../contract/capability.ts'
import type { Operation } from '../../contract/operation.ts'
import { NETWORK_VERSION } from '../../contract/rules/ids.ts'
import { networkProfile } from '../../contract/rules/network.ts'
import { describeOperation } from '../describe-operation.ts'
import { type JsonSchema, jsonSchemaOf } from '../json-schema.ts'

type ObjectSchema = JsonSchema & { type: 'object' }

/** A tool as `tools/list` describes it. */
export type ToolDescription = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema: ObjectSchema
  annotations: { title: string } & Annotations
}

/** The operation behind each tool, by the tool's name. */
export const operationOfTool = new Map<unknown, Operation>()

/** The tools that `/mcp` also answers without a key, by operation. */
export const keylessTools = new Map<Operation, string>()

/** What every MCP server of this process lists, whatever its transport. */
export const toolDescriptions: ToolDescription[] = []

for (const { operation, mcp } of catalogue) {
  if (!mcp) continue
  operationOfTool.set(mcp.tool, operation)
  if (mcp.keyless) keylessTools.set(operation, mcp.tool)
  toolDescriptions.push({
    name: mcp.tool,
    title: operation.summary,
    description: describeOperation(operation),
    inputSchema: jsonSchemaOf(operation.input, 'input') as ObjectSchema,
    outputSchema: jsonSchemaOf(operation.output, 'output') as ObjectSchema,
    annotations: { title: operation.summary, ...mcp.annotations },
  })
}

/** How every MCP server of this process presents itself. */
export const serverInfo = {
  name: networkProfile.agent,
  title: networkProfile.name,
  version: NETWORK_VERSION,
}
export const instructions: string = networkProfile.description
