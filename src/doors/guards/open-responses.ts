import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MeteredCall } from './account-meter.ts'
import { addressOf } from './allowance.ts'

/** Bytes of a body that cost one more call. */
const BYTES_PER_CALL = 100_000

/**
 * Meters the routes of a scope by address. A call ends when its response is written or its
 * connection closed, which limits the responses of clients that do not read.
 */
export function meterResponses(
  scope: FastifyInstance,
  begin: (who: string, at: Date) => MeteredCall,
): void {
  const calls = new WeakMap<FastifyRequest, MeteredCall>()
  const onEnd = createOnEnd()
  scope.addHook('onRequest', async (request, reply) => {
    const call = begin(`responses ${addressOf(request)}`, new Date())
    calls.set(request, call)

    onEnd(reply.raw, request.raw.socket, call.end)
  })
  scope.addHook('onSend', (request, _reply, body, done) => {
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body.length : 0
    if (bytes >= BYTES_PER_CALL) calls.get(request)?.charge(Math.floor(bytes / BYTES_PER_CALL))
    done()
  })
}

/** Pipelined responses that wait for an earlier one do not emit `close` with their connection. */
function createOnEnd() {
  const waiting = new WeakMap<Socket, Set<() => void>>()

  const waitingOn = (socket: Socket) => {
    const existing = waiting.get(socket)
    if (existing) return existing
    const ends = new Set<() => void>()
    waiting.set(socket, ends)
    socket.once('close', () => {
      for (const end of ends) end()
      ends.clear()
    })
    return ends
  }
  return (response: ServerResponse, socket: Socket, end: () => void): void => {
    const ends = waitingOn(socket)
    ends.add(end)
    response.once('close', () => {
      if (ends.delete(end)) end()
    })
  }
}
