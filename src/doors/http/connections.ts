import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Timeouts for clients of this process, in milliseconds. */
export type ConnectionTimeouts = {
  /** for a whole request, and for the first byte of a new connection */
  requestMs: number
  /** how often that is checked */
  checkMs: number
  /** for a client that does not read its response */
  unreadMs: number
}

export const patience: ConnectionTimeouts = { requestMs: 15_000, checkMs: 5_000, unreadMs: 30_000 }

/** Options of Fastify. Node swaps the two limits if the one for headers is longer. */
export const serverOptions = ({ requestMs, checkMs }: ConnectionTimeouts) => ({
  requestTimeout: requestMs,
  http: { headersTimeout: requestMs, connectionsCheckingInterval: checkMs },
})

/**
 * Closes connections whose client reads none of the remaining bytes, streams included. Node's timer
 * restarts with each byte taken and with each write, so writers to a stream wait while bytes
 * remain. A response without bytes to send stays open, as long polls do.
 */
export function closeUnread(server: Server, { unreadMs }: ConnectionTimeouts): void {
  server.on('request', (_, response) => {
    response.setTimeout(unreadMs, () => {
      if (response.writableLength > 0) response.destroy()
    })
    // Runs before Node sets the time of an idle connection.
    response.prependOnceListener('finish', () => response.socket?.setTimeout(0))
  })
}

/**
 * Ends connections that their client reset before they were accepted. Node reads the address of a
 * connection once and caches it, so a request has its caller's address even after the reset.
 */
export function dropGone(server: Server, onGone: () => void): void {
  server.prependListener('connection', (socket: Socket) => {
    if (socket.remoteAddress !== undefined) return
    socket.destroy()
    onGone()
  })
}
