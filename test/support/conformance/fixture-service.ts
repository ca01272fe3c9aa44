import { randomUUID } from 'node:crypto'
import { toWebRequest } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  type ServerNotifier,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { fastify } from 'fastify'
import { readConfig } from '../../../src/config/config.ts'
import { createIsAllowedOrigin, createOriginCheck } from '../../../src/doors/guards/origin.ts'
import { streamableHttp } from '../../../src/doors/mcp/streamable-http.ts'
import { readableLog } from '../lines.ts'
import { addContentTools, addResourcesAndPrompts, textOf } from './content-fixtures.ts'
import { addInputTools, stateCodec } from './input-fixtures.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'

/**
 * A server with all that the official suite calls, using the plug-in of `/mcp` behind its origin
 * check. Clients of 2025-11-25 get sessions, because in the suite servers send requests to clients.
 */
export async function openFixtureService() {
  const app = fastify()
  const config = readConfig({ NODE_ENV: 'test' })
  const checkOrigin = createOriginCheck(createIsAllowedOrigin(PUBLIC_URL, config))
  const modern = createMcpHandler(() => createServer(modern.notify), { legacy: 'reject' })
  const sessions = createSessions(() => createServer(modern.notify))
  await app.register(async (scope) => {
    scope.addHook('onRequest', checkOrigin)
    streamableHttp(scope, {
      routes: [{ url: '/mcp', method: ['GET', 'POST', 'DELETE'] }],
      admit: async (_, message) => ({ message }),
      load: async () => ({
        toWebRequest,
        fetch: async (request, options) =>
          (await isLegacyRequest(request.clone(), options.parsedBody))
            ? sessions.fetch(request, options.parsedBody)
            : modern.fetch(request, options),
      }),
      log: readableLog().log,
      publicUrl: PUBLIC_URL,
    })
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const close = async () => {
    await Promise.all([modern.close(), sessions.close()])
    await app.close()
  }
  return { url: `${url}/mcp`, close }
}

function createServer(notify: ServerNotifier): McpServer {
  const listChanged = true
  const server = new McpServer(
    { name: 'fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged },
        prompts: { listChanged },
        resources: { listChanged, subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: stateCodec.verify },
    },
  )
  addContentTools(server)
  addResourcesAndPrompts(server)
  addInputTools(server)
  const triggers = {
    test_trigger_tool_change: notify.toolsChanged,
    test_trigger_prompt_change: notify.promptsChanged,
  }
  for (const [name, trigger] of Object.entries(triggers)) {
    server.registerTool(name, { description: name }, () => {
      trigger()
      return { content: [textOf('changed')] }
    })
  }
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
  return server
}

/** Sessions of 2025-11-25: each a transport and a server. */
function createSessions(newServer: () => McpServer) {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const open = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    })
    await newServer().connect(transport)
    return transport
  }
  return {
    async fetch(request: Request, parsedBody: unknown): Promise<Response> {
      const id = request.headers.get('mcp-session-id')
      const transport = id === null ? await open() : transports.get(id)
      if (!transport) return new Response(null, { status: 404 })
      return transport.handleRequest(request, { parsedBody })
    },
    close: () => Promise.all([...transports.values()].map((transport) => transport.close())),
  }
}
