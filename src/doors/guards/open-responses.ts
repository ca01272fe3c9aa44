import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MeteredCall } from './account-meter.ts'
import { addressOf } from './allowance.ts'

/** How many bytes of a body cost one more call. */
const BYTES_PER_CALL = 100_000

/**
 * Meters the routes of a scope by address. A call ends only when its response has been written or
 * its connection has closed, which limits responses to clients that do not read.
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

/** Needed because pipelined responses that wait for an earlier one emit no `close` themselves. */
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
