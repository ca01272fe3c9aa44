import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Limited } from '../../base/throttle.ts'
import { createOpenStreams, hijackStream } from '../../doors/http/open-streams.ts'
import { createSemaphore } from '../../platform/http/semaphore.ts'

const KEEP_ALIVE_MS = 15_000
/** A stream is busy for at most a sixth of its time. */
const PAUSE_FACTOR = 5

/** The message of one turn; undefined sends nothing. */
type Message = { event: string; data: unknown } | 'end' | undefined

/** At most `total` server-sent event streams of this process, few of which work at once. */
export function createEventStreams(total: number, concurrency: number) {
  const streams = createOpenStreams(total, 'Too many live pages are open.')
  const stopping = new AbortController()
  const { signal } = stopping
  const turns = createSemaphore(concurrency)

  async function timed(turn: () => Promise<Message>) {
    await turns.acquire(signal)
    const begunAt = performance.now()
    const message = await turn().finally(turns.release)
    return { message, took: performance.now() - begunAt }
  }

  /** Nothing is added to unread data, whose connection times out eventually. */
  const turnOf = (raw: ServerResponse, turn: () => Promise<Message>) =>
    raw.writableLength > 0
      ? ({ message: undefined, took: 0 } as const)
      : timed(turn).catch(() => ({ message: 'end', took: 0 }) as const)

  async function follow(raw: ServerResponse, ms: number, turn: () => Promise<Message>) {
    let sentAt = performance.now()
    while (!raw.destroyed && !signal.aborted) {
      const { message, took } = await turnOf(raw, turn)
      // The streams may have been stopped meanwhile, and a write after the end crashes the process.
      if (message === 'end' || raw.writableEnded) break
      const now = performance.now()
      if (message || isSilent(raw, now - sentAt)) {
        raw.write(message ? textOf(message) : ': still here\n\n')
        sentAt = now
      }
      await setTimeout(Math.max(ms, took * PAUSE_FACTOR), undefined, { signal }).catch(() => {})
    }
    raw.end()
  }

  return {
    /**
     * Opens a stream with a turn every `ms` until it ends, throws, or loses its reader. Throws like
     * `createOpenStreams`.
     */
    async open(reply: FastifyReply, account: Limited, ms: number, turn: () => Promise<Message>) {
      const permit = streams.admit(account)
      const raw = hijackStream(reply)
      // A connection that is kept alive would delay the stop of this process.
      raw.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' })
      raw.flushHeaders()
      permit.use(raw)
      await follow(raw, ms, turn)
    },
    /** Ends all streams. Browsers reconnect elsewhere. */
    stop(): Promise<void> {
      stopping.abort()
      return streams.stop()
    },
  }
}

const isSilent = (raw: ServerResponse, ms: number): boolean =>
  ms > KEEP_ALIVE_MS && raw.writableLength === 0

/** JSON has no line feeds, so it is one line of data. */
const textOf = ({ event, data }: { event: string; data: unknown }): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
