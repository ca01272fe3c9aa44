import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { refuse } from '../../../contract/rules/errors.ts'
import { createSemaphore } from '../../../platform/http/semaphore.ts'
import { hijackStream } from '../../open-streams.ts'

const KEEP_ALIVE_MS = 15_000
/** A browser that stops reading is disconnected. */
const MAX_UNREAD_BYTES = 1_000_000
const RETRY_SECONDS = 15
/** A stream is busy for at most a sixth of its time. */
const PAUSE_FACTOR = 5

/** What one turn sends; undefined sends nothing. */
type Message = { event: string; data: unknown } | 'end' | undefined

type Limits = {
  /** open streams, in all and of one account */
  total: number
  perAccount: number
  /** turns at the same time */
  atOnce: number
}

/** The open server-sent event streams of this process. */
export function createEventStreams({ total, perAccount, atOnce }: Limits) {
  const open = new Map<ServerResponse, string>()
  const stopping = new AbortController()
  const { signal } = stopping
  const turns = createSemaphore(atOnce)

  async function timed(turn: () => Promise<Message>) {
    await turns.acquire(signal)
    const begunAt = performance.now()
    const message = await turn().finally(turns.release)
    return { message, took: performance.now() - begunAt }
  }

  async function follow(raw: ServerResponse, ms: number, turn: () => Promise<Message>) {
    let sentAt = performance.now()
    while (!raw.destroyed && !signal.aborted && raw.writableLength < MAX_UNREAD_BYTES) {
      const { message, took } = await timed(turn).catch(
        () => ({ message: 'end', took: 0 }) as const,
      )
      // The streams may have been stopped meanwhile, and a write after the end ends the process.
      if (message === 'end' || raw.writableEnded) break
      const now = performance.now()
      if (message || now - sentAt > KEEP_ALIVE_MS) {
        raw.write(message ? textOf(message) : ': still here\n\n')
        sentAt = now
      }
      await setTimeout(Math.max(ms, took * PAUSE_FACTOR), undefined, { signal }).catch(() => {})
    }
    raw.end()
  }

  return {
    /** Throws `too_many_sessions` when another stream would exceed a limit. */
    admit(accountId: string): void {
      const own = [...open.values()].filter((id) => id === accountId).length
      if (open.size >= total || own >= perAccount) {
        throw refuse('too_many_sessions', undefined, { retry_after: RETRY_SECONDS })
      }
    },
    /** Opens a stream that takes a turn every `ms` until it ends, throws, or nobody reads. */
    async open(reply: FastifyReply, accountId: string, ms: number, turn: () => Promise<Message>) {
      const raw = hijackStream(reply)
      // A connection that is kept alive would delay the stop of this process.
      raw.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' })
      raw.flushHeaders()
      open.set(raw, accountId)
      raw.on('close', () => open.delete(raw))
      await follow(raw, ms, turn)
    },
    /** Ends all streams. Browsers reconnect elsewhere. */
    stop(): void {
      stopping.abort()
      for (const raw of open.keys()) raw.end()
    },
  }
}

/** JSON has no line feeds, so it is one line of data. */
const textOf = ({ event, data }: { event: string; data: unknown }): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
