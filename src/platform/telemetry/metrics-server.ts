import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Metrics } from './metrics.ts'

/**
 * Serves `/metrics` on its own port and, for processes without doors, `/healthz` and `/readyz`:
 * whether the process has started and is not stopping. Nothing else makes a worker unready: if a
 * server is down it waits, and a restart would not help.
 */
export async function serveMetrics(
  { registry, text }: Metrics,
  at: { host: string; port: number },
  isReady?: () => boolean,
): Promise<{ stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.url === '/healthz') return response.end('{"status":"ok"}')
    if (isReady && request.url === '/readyz') {
      const [code, status] = isReady() ? [200, 'ready'] : [503, 'not ready']
      return response.writeHead(code).end(JSON.stringify({ status }))
    }
    if (request.url !== '/metrics') return response.writeHead(404).end()
    const body = await text().catch(() => undefined)
    if (body === undefined) return response.writeHead(500).end()
    return response.writeHead(200, { 'content-type': registry.contentType }).end(body)
  })
  server.listen(at.port, at.host)
  await once(server, 'listening').catch((error: Error) => {
    throw new Error(`METRICS_PORT ${at.port} on ${at.host} cannot be used (${error.message}).`)
  })
  return {
    async stop() {
      const closing = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closing
    },
  }
}
