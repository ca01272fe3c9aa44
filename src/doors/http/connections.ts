import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long this process waits for a client, in milliseconds. */
export type ConnectionTimeouts = {
  /** for a whole request, and for the first byte of a new connection */
  requestMs: number
  /** how often that is checked */
  checkMs: number
  /** for a client that reads nothing of what it was sent */
  unreadMs: number
}

export const patience: ConnectionTimeouts = { requestMs: 15_000, checkMs: 5_000, unreadMs: 30_000 }

/** Options of Fastify. Node swaps the two limits if that for headers is the longer one. */
export const serverOptions = ({ requestMs, checkMs }: ConnectionTimeouts) => ({
  requestTimeout: requestMs,
  http: { headersTimeout: requestMs, connectionsCheckingInterval: checkMs },
})

/**
 * Closes connections whose client reads nothing of what is left to send, streams alike. Node's time
 * begins anew with each byte that is taken, and with each write: so whoever writes to a stream
 * waits while bytes are left. A response that has nothing to send stays open: long polls do.
 */
export function closeUnread(server: Server, { unreadMs }: ConnectionTimeouts): void {
  server.on('request', (_, response) => {
    response.setTimeout(unreadMs, () => {
      if (response.writableLength > 0) response.destroy()
    })
    // Before Node sets the time of an idle connection.
    response.prependOnceListener('finish', () => response.socket?.setTimeout(0))
  })
}

/**
 * Ends connections that their client has reset before they were taken up. Node reads the address of
 * a connection once and keeps it, so a request has the address of its caller even after that is
 * gone.
 */
export function dropGone(server: Server, gone: () => void): void {
  server.prependListener('connection', (socket: Socket) => {
    if (socket.remoteAddress !== undefined) return
    socket.destroy()
    gone()
  })
}
