import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { refuse } from '../../base/errors.ts'
import { type Limited, limitedAs } from '../../base/throttle.ts'
import { mayTake } from '../../platform/process/fair-share.ts'

/** A permit for one open stream; it must be used or released. */
export type StreamPermit = { use(stream: ServerResponse): void; release(): void }

/** The share of the remaining streams that one account may take. */
const SHARE = 0.1
const RETRY_AFTER_SECONDS = 15

/** This process's open streams, limited and ended together; `what` explains a refusal. */
export function createOpenStreams(total: number, what?: string) {
  const permits = new Map<StreamPermit, string>()
  const streams = new Set<ServerResponse>()
  let isStopped = false

  return {
    count: () => streams.size,
    /** Throws `too_many_sessions` beyond a limit, and `service_unavailable` once stopped. */
    admit(account: Limited): StreamPermit {
      if (isStopped) {
        throw refuse('service_unavailable', 'This process is stopping.', { retry_after: 1 })
      }
      const id = limitedAs(account)
      const own = [...permits.values()].filter((accountId) => accountId === id).length
      if (!mayTake(own, { free: total - permits.size, total, share: SHARE })) {
        throw refuse('too_many_sessions', what, { retry_after: RETRY_AFTER_SECONDS })
      }
      const permit: StreamPermit = {
        use(stream) {
          // Handled here, because a closed stream does not emit `close` again.
          if (stream.destroyed) return permit.release()
          streams.add(stream)
          stream.on('close', () => {
            streams.delete(stream)
            permit.release()
          })
        },
        release: () => void permits.delete(permit),
      }
      permits.set(permit, id)
      return permit
    },
    /** Stops admitting streams, and ends all of them after `answered`. */
    async stop(answered?: () => Promise<unknown>): Promise<void> {
      isStopped = true
      await answered?.()
      for (const stream of streams) stream.end()
    },
  }
}

/** Sets the header fields of a reply on the response that something else will write. */
export function copyHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
}

/** Takes over a reply as a stream, keeping its header fields and preventing proxy buffering. */
export function hijackStream(reply: FastifyReply): ServerResponse {
  reply.hijack()
  copyHeaders(reply)
  reply.raw.setHeader('x-accel-buffering', 'no')
  return reply.raw
}
