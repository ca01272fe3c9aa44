import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { refuse } from '../../../model/errors.ts'

const KEEP_ALIVE_MS = 15_000
/** A browser that does not read what it asked for is cut off. */
const MOST_UNREAD_BYTES = 1_000_000
const RETRY_SECONDS = 15

/** What is sent next; undefined for nothing this time. */
export type Turn = { event: string; data: unknown } | 'end' | undefined

/** One open stream of server-sent events. */
export type EventStream = {
  /** Sends what each turn gives, until one ends it, throws, or nobody reads any more. */
  every(ms: number, turn: () => Promise<Turn>): Promise<void>
}

/** The streams that are open in this process, so many at most for all and for one account. */
export function createEventStreams({ total, perAccount }: { total: number; perAccount: number }) {
  const open = new Map<ServerResponse, string>()
  const stopping = new AbortController()

  return {
    /** Throws `too_many_sessions` when one more would pass a bound. */
    admit(accountId: string): void {
      const own = [...open.values()].filter((id) => id === accountId).length
      if (open.size >= total || own >= perAccount) {
        throw refuse('too_many_sessions', undefined, { retry_after: RETRY_SECONDS })
      }
    },
    open(reply: FastifyReply, accountId: string): EventStream {
      reply.hijack()
      const { raw } = reply
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) raw.setHeader(name, value)
      }
      raw.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
      raw.flushHeaders()
      open.set(raw, accountId)
      raw.on('close', () => open.delete(raw))
      return { every: (ms, turn) => follow(raw, ms, turn, stopping.signal) }
    },
    /** Ends all of them; browsers come back to whoever answers then. */
    stop(): void {
      stopping.abort()
      for (const raw of open.keys()) raw.end()
    },
  }
}

async function follow(
  raw: ServerResponse,
  ms: number,
  turn: () => Promise<Turn>,
  stopping: AbortSignal,
): Promise<void> {
  let spokeAt = performance.now()
  while (!raw.destroyed && !stopping.aborted && raw.writableLength < MOST_UNREAD_BYTES) {
    const next = await turn().catch(() => 'end' as const)
    if (next === 'end') break
    if (next) raw.write(`event: ${next.event}\ndata: ${JSON.stringify(next.data)}\n\n`)
    else if (performance.now() - spokeAt > KEEP_ALIVE_MS) raw.write(': still here\n\n')
    else {
      await setTimeout(ms, undefined, { signal: stopping }).catch(() => {})
      continue
    }
    spokeAt = performance.now()
    await setTimeout(ms, undefined, { signal: stopping }).catch(() => {})
  }
  raw.end()
}
