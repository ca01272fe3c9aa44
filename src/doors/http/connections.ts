import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Timeouts for this process's clients, in milliseconds. */
export type ConnectionTimeouts = {
  /** for receiving a whole request, and the first byte on a new connection */
  requestMs: number
  /** how often these are checked */
  checkMs: number
  /** for a client that does not read its response */
  unreadMs: number
}

export const patience: ConnectionTimeouts = { requestMs: 15_000, checkMs: 5_000, unreadMs: 30_000 }

/** Options for Fastify. Node swaps the two timeouts if the one for headers is longer. */
export const serverOptions = ({ requestMs, checkMs }: ConnectionTimeouts) => ({
  requestTimeout: requestMs,
  http: { headersTimeout: requestMs, connectionsCheckingInterval: checkMs },
})

/**
 * Closes connections, including streams, whose client reads none of the remaining bytes. Node's
 * timer restarts with each byte read and with each write, so writers to a stream wait while bytes
 * remain. A response with no bytes to send stays open, as long polls do.
 */
export function closeUnread(server: Server, { unreadMs }: ConnectionTimeouts): void {
  server.on('request', (_, response) => {
    response.setTimeout(unreadMs, () => {
      if (response.writableLength > 0) response.destroy()
    })
    // Must run before Node sets the timeout of an idle connection.
    response.prependOnceListener('finish', () => response.socket?.setTimeout(0))
  })
}

/**
 * Ends connections that the client reset before they were accepted. Node reads a connection's
 * address only once, so later requests have the caller's address even after a reset.
 */
export function dropGone(server: Server, onGone: () => void): void {
  server.prependListener('connection', (socket: Socket) => {
    if (socket.remoteAddress !== undefined) return
    socket.destroy()
    onGone()
  })
}
