import { Client } from 'undici'
import type { Dialled } from './dial.ts'

const IDLE_MS = 4_000
const MAX_IDLE_MS = 30_000
const MAX_HEADER_BYTES = 16 * 1024

/** A socket that speaks HTTP/1.1 and never reconnects. */
export type Connection = { origin: string; address: string; client: Client; isOpen(): boolean }

/** Wraps a dialled socket; undici only parses HTTP. */
export function openConnection(origin: string, { socket, address }: Dialled): Connection {
  let handedOver = false
  const client = new Client(origin, {
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    connect: (_, answer) => {
      const first = !handedOver
      handedOver = true
      // undici does not start a request if the callback runs synchronously.
      setImmediate(() => (first ? answer(null, socket) : answer(new Error('closed'), null)))
    },
  })
  return { origin, address, client, isOpen: () => !client.destroyed && !socket.destroyed }
}

/** Open connections between requests, oldest first. */
export function createIdleConnections() {
  const idle = new Map<Connection, () => void>()
  const byOrigin = new Map<string, Set<Connection>>()
  const remove = (connection: Connection) => {
    connection.client.off('disconnect', idle.get(connection) ?? (() => {}))
    idle.delete(connection)
    const siblings = byOrigin.get(connection.origin)
    siblings?.delete(connection)
    if (siblings?.size === 0) byOrigin.delete(connection.origin)
  }
  return {
    /** Takes an idle connection to this origin at one of these addresses, if there is one. */
    take(origin: string, addresses: string[]): Connection | undefined {
      for (const connection of byOrigin.get(origin) ?? []) {
        if (!addresses.includes(connection.address)) continue
        remove(connection)
        if (connection.isOpen()) return connection
      }
      return undefined
    },
    keep(connection: Connection): void {
      const onClosed = () => {
        remove(connection)
        void connection.client.destroy()
      }
      idle.set(connection, onClosed)
      connection.client.once('disconnect', onClosed)
      const siblings = byOrigin.get(connection.origin) ?? new Set()
      byOrigin.set(connection.origin, siblings.add(connection))
    },
    /** Closes the connections that have been idle longest until at most `count` are left. */
    shrink(count: number): void {
      for (const connection of idle.keys()) {
        if (idle.size <= count) return
        remove(connection)
        void connection.client.destroy()
      }
    },
  }
}
