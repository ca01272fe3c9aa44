import { createMcpHandler, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import { DOCUMENT_SECONDS } from '../http/send-document.ts'
import { resourceContents, resources } from './apps/slots-view.ts'
import type { CallTool, ToolCall } from './call-tool.ts'
import { instructions } from './tool-texts.ts'
import { isStructured, serverInfo, structuredDescriptions, toolDescriptions } from './tools.ts'

export { toWebRequest } from '@modelcontextprotocol/node'

/** Tools and instructions are public and change only with a release. */
const cacheHint = { ttlMs: DOCUMENT_SECONDS * 1000, cacheScope: 'public' } as const

/**
 * Creates the handler of `/mcp` for version 2026-07-28 and, without sessions, 2025-11-25 and older.
 * Any process of the service can answer any request. Each request gets its own server.
 */
export const createStreamableHandler = (callTool: CallTool, onerror: (error: Error) => void) =>
  createMcpHandler(
    ({ requestInfo }) => createStreamableServer(callTool, isStructured(requestInfo?.url ?? '')),
    { onerror },
  )

function createStreamableServer(callTool: CallTool, isStructured: boolean): Server {
  const server = new Server(serverInfo, {
    capabilities: { tools: {}, resources: {} },
    instructions,
    cacheHints: {
      ...{ 'tools/list': cacheHint, 'server/discover': cacheHint },
      ...{ 'resources/list': cacheHint, 'resources/read': cacheHint },
      'resources/templates/list': cacheHint,
    },
  })
  server.setRequestHandler('tools/list', () => ({
    tools: isStructured ? structuredDescriptions() : toolDescriptions,
  }))
  server.setRequestHandler('tools/call', (_, { http }) =>
    callTool(http?.authInfo?.extra as ToolCall),
  )
  server.setRequestHandler('resources/list', () => ({ resources }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const contents = resourceContents(uri)
    if (!contents) throw new ResourceNotFoundError(uri)
    return { contents }
  })
  return server
}
