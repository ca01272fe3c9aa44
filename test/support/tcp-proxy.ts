import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** The chunk to catch: one sent to the server, or one sent back by it. */
export type Catch = { direction: 'request' | 'answer'; text: string; occurrence: number }

export type TcpProxy = {
  port: number
  /** Forwards until `text` passes for the nth time, then holds it and all that follows. */
  freezeAt(what: Catch): Promise<void>
  /** Like `freezeAt`, but holds only the connection in which the text has passed. */
  freezeOneAt(what: Catch): Promise<void>
  /** Holds everything from now on. */
  freeze(): void
  /** Forwards new connections again. Held connections have lost bytes and stay silent. */
  thaw(): void
  /** Resets every connection; new ones are forwarded. */
  cut(): void
  /** Delays each chunk by this long. */
  delay(ms: number): void
  /** Ends each of the next `count` PostgreSQL sessions the moment it becomes ready. */
  endWhenReady(count: number): void
  close(): Promise<void>
}

type Wire = { isSilent: boolean; client: Socket; upstream: Socket }

/** ReadyForQuery, outside a transaction. */
const READY = Buffer.from('Z\0\0\0\x05I')

/** What PostgreSQL sends when an administrator ends a session. */
function fatal(): Buffer {
  const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to a test\0\0'
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(4 + fields.length, 1)
  return Buffer.concat([head, Buffer.from(fields)])
}

/** A proxy to a server that a test can cut at an exact point, by default on a free port. */
export async function openTcpProxy(host: string, port: number, at = 0): Promise<TcpProxy> {
  const wires = new Set<Wire>()
  let isFrozen = false
  let delayMs = 0
  let toEnd = 0
  let trap: (Catch & { seen: number; reached: () => void; all: boolean }) | undefined

  const freeze = () => {
    isFrozen = true
    for (const wire of wires) wire.isSilent = true
  }
  const passes = (wire: Wire, direction: Catch['direction'], chunk: Buffer): boolean => {
    if (!wire.isSilent && trap?.direction === direction && chunk.includes(trap.text)) {
      trap.seen += 1
      if (trap.seen === trap.occurrence) {
        wire.isSilent = true
        if (trap.all) freeze()
        trap.reached()
      }
    }
    return !wire.isSilent
  }
  const trapAt = (what: Catch, all: boolean) =>
    new Promise<void>((reached) => {
      trap = { ...what, seen: 0, reached, all }
    })

  const forward = (wire: Wire, direction: Catch['direction'], chunk: Buffer) => {
    if (!passes(wire, direction, chunk)) return
    const to = direction === 'request' ? wire.upstream : wire.client
    if (direction === 'answer' && toEnd > 0 && chunk.subarray(-READY.length).equals(READY)) {
      toEnd -= 1
      wire.isSilent = true
      wire.client.end(Buffer.concat([chunk, fatal()]))
      wire.upstream.destroy()
    } else if (delayMs > 0) {
      setTimeout(() => to.write(chunk), delayMs)
    } else {
      to.write(chunk)
    }
  }
  const join = (wire: Wire, direction: Catch['direction']) => {
    const [from, to] =
      direction === 'request' ? [wire.client, wire.upstream] : [wire.upstream, wire.client]
    from.on('data', (chunk) => forward(wire, direction, chunk))
    from.on('error', () => {})
    from.on('close', () => {
      // Whatever drops packets also drops those that close a connection.
      if (!wire.isSilent) to.destroy()
      if (wire.client.destroyed && wire.upstream.destroyed) wires.delete(wire)
    })
  }
  const server = createServer((client) => {
    const wire = { isSilent: isFrozen, client, upstream: connect(port, host) }
    wires.add(wire)
    join(wire, 'request')
    join(wire, 'answer')
  })
  server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    freezeAt: (what) => trapAt(what, true),
    freezeOneAt: (what) => trapAt(what, false),
    freeze,
    thaw() {
      isFrozen = false
    },
    cut() {
      for (const { client, upstream } of wires) {
        client.resetAndDestroy()
        upstream.destroy()
      }
    },
    delay(ms) {
      delayMs = ms
    },
    endWhenReady(count) {
      toEnd = count
    },
    async close() {
      server.close()
      for (const { client, upstream } of wires) {
        client.destroy()
        upstream.destroy()
      }
      await once(server, 'close')
    },
  }
}

/** A database's address through a proxy to it. */
export async function openDatabaseProxy(databaseUrl: string): Promise<TcpProxy & { url: string }> {
  const url = new URL(databaseUrl)
  const proxy = await openTcpProxy(url.hostname, Number(url.port))
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  return { ...proxy, url: url.href }
}
