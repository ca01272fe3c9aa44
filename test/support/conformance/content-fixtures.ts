import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

export const textOf = (text: string) => ({ type: 'text' as const, text })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const audio = { type: 'audio' as const, data: WAV, mimeType: 'audio/wav' }
const embedded = (uri: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: 'embedded' },
})

/** Tools whose results cover each type of content, under the suite's names. */
export function addContentTools(server: McpServer): void {
  const contents = {
    test_simple_text: [textOf('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [audio],
    test_embedded_resource: [embedded('test://embedded-resource')],
    test_multiple_content_types: [textOf('Several'), image, embedded('test://mixed')],
    test_logging_tool: [textOf('logged')],
  }
  for (const [name, content] of Object.entries(contents)) {
    server.registerTool(name, { description: name }, async ({ mcpReq }) => {
      await mcpReq.log('info', name)
      return { content }
    })
  }
  server.registerTool('test_error_handling', { description: 'fails' }, async () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool('test_tool_with_logging', { description: 'logs' }, async ({ mcpReq }) => {
    for (const step of ['started', 'working', 'done']) {
      await mcpReq.log('info', `Tool execution: ${step}`)
    }
    return { content: [textOf('logged')] }
  })
  server.registerTool('test_tool_with_progress', { description: 'reports' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 }
      await mcpReq.notify({ method: 'notifications/progress', params })
    }
    return { content: [textOf('reported')] }
  })
}

/** Resources, prompts and completions, under the suite's names. */
export function addResourcesAndPrompts(server: McpServer): void {
  const text = (uri: string) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'text' }] })
  for (const name of ['static-text', 'watched-resource']) {
    const uri = `test://${name}`
    server.registerResource(name, uri, { mimeType: 'text/plain' }, async () => text(uri))
  }
  const binary = 'test://static-binary'
  server.registerResource('static-binary', binary, { mimeType: 'image/png' }, async () => ({
    contents: [{ uri: binary, mimeType: 'image/png', blob: PNG }],
  }))
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    async ({ href }, { id }) => ({
      contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id }) }],
    }),
  )

  type Content = ReturnType<typeof textOf> | typeof image | ReturnType<typeof embedded>
  const messagesOf = (...contents: Content[]) => ({
    messages: contents.map((content) => ({ role: 'user' as const, content })),
  })
  const described = (name: string) => ({ description: name })
  const simple = 'test_simple_prompt'
  server.registerPrompt(simple, described(simple), async () => messagesOf(textOf('A prompt.')))
  const withImage = 'test_prompt_with_image'
  server.registerPrompt(withImage, described(withImage), async () => messagesOf(image))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'with arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    async ({ arg1, arg2 }) => messagesOf(textOf(`arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'with a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) => messagesOf(embedded(resourceUri), textOf('Process it.')),
  )
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }))
}
