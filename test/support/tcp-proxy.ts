import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** The chunk to catch: to the server, or the server's answer. */
export type Catch = { direction: 'request' | 'answer'; text: string; occurrence: number }

export type TcpProxy = {
  port: number
  /** Forwards everything until `text` passes the nth time, then holds that chunk and all later. */
  freezeAt(what: Catch): Promise<void>
  /** Holds everything from now on. */
  freeze(): void
  close(): Promise<void>
}

/** A proxy to a server that a test can cut at an exact point, on a free port by default. */
export async function openTcpProxy(host: string, port: number, at = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let frozen = false
  let trap: (Catch & { seen: number; reached: () => void }) | undefined

  const passes = (direction: Catch['direction'], chunk: Buffer): boolean => {
    if (!frozen && trap?.direction === direction && chunk.includes(trap.text)) {
      trap.seen += 1
      if (trap.seen === trap.occurrence) {
        frozen = true
        trap.reached()
      }
    }
    return !frozen
  }
  const join = (from: Socket, to: Socket, direction: Catch['direction']) => {
    sockets.add(from)
    from.on('data', (chunk) => passes(direction, chunk) && to.write(chunk))
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer((client) => {
    const upstream = connect(port, host)
    join(client, upstream, 'request')
    join(upstream, client, 'answer')
  })
  server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    freezeAt: (what) =>
      new Promise((reached) => {
        trap = { ...what, seen: 0, reached }
      }),
    freeze() {
      frozen = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
