import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import * as sdk from '@modelcontextprotocol/sdk/types.js'
import type { CallTool, ToolCall } from './call-tool.ts'
import { instructions } from './tool-texts.ts'
import { serverInfo, toolDescriptions } from './tools.ts'

/** Creates the MCP server of an HTTP+SSE session. */
export function createSseServer(callTool: CallTool): Server {
  const server = new Server(serverInfo, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools: toolDescriptions }))
  server.setRequestHandler(sdk.CallToolRequestSchema, (_, { authInfo }) =>
    callTool(authInfo?.extra as ToolCall),
  )
  return server
}
