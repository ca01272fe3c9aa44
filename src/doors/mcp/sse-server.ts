import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import * as sdk from '@modelcontextprotocol/sdk/types.js'
import { resourceContents, resources } from './apps/slots-view.ts'
import type { CallTool, ToolCall } from './call-tool.ts'
import { instructions } from './tool-texts.ts'
import { serverInfo, toolDescriptions } from './tools.ts'

/** MCP 2025-11-25, resources, "Error Handling". */
const RESOURCE_NOT_FOUND = -32002

/** Creates the MCP server of an HTTP+SSE session. */
export function createSseServer(callTool: CallTool): Server {
  const server = new Server(serverInfo, {
    capabilities: { tools: {}, resources: {} },
    instructions,
  })
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools: toolDescriptions }))
  server.setRequestHandler(sdk.CallToolRequestSchema, (_, { authInfo }) =>
    callTool(authInfo?.extra as ToolCall),
  )
  server.setRequestHandler(sdk.ListResourcesRequestSchema, () => ({ resources }))
  server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [],
  }))
  server.setRequestHandler(sdk.ReadResourceRequestSchema, ({ params: { uri } }) => {
    const contents = resourceContents(uri)
    if (!contents) throw new sdk.McpError(RESOURCE_NOT_FOUND, 'Resource not found', { uri })
    return { contents }
  })
  return server
}
