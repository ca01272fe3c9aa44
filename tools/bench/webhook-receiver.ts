import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A subscriber in the bench process. `/slow/…` answers after 10 s, all other paths at once. */
export type BenchReceiver = {
  url(path: string): string
  count(): number
  /** Resolves with the `performance.now()` of the next request to this path. */
  arrival(path: string): Promise<number>
  close(): Promise<void>
}

const SLOW_MS = 10_000

export async function openBenchReceiver(): Promise<BenchReceiver> {
  let count = 0
  const waiting = new Map<string, (at: number) => void>()
  const answer = (response: ServerResponse) => response.writeHead(204).end()
  const server = createServer((request, response) => {
    const at = performance.now()
    const path = request.url ?? ''
    request.resume().on('end', () => {
      count += 1
      waiting.get(path)?.(at)
      waiting.delete(path)
      if (path.startsWith('/slow/')) setTimeout(answer, SLOW_MS, response)
      else answer(response)
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    count: () => count,
    arrival: (path) => new Promise((arrived) => waiting.set(path, arrived)),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
