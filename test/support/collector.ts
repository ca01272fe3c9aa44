import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Record<string, unknown>
}

/** An OTLP/HTTP collector that keeps the spans it receives. */
export async function openCollector() {
  const spans: CollectedSpan[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as any
    for (const { scopeSpans } of body.resourceSpans ?? []) {
      for (const { spans: sent } of scopeSpans) spans.push(...sent.map(plain))
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function plain(span: any): CollectedSpan {
  const { traceId, spanId, parentSpanId, name } = span
  const attributes = Object.fromEntries(
    span.attributes.map(({ key, value }: any) => [key, Object.values(value ?? {})[0]]),
  )
  return { traceId, spanId, parentSpanId, name, attributes }
}
