import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { refuse } from '../../../contract/rules/errors.ts'

const KEEP_ALIVE_MS = 15_000
/** A browser that does not read what it asked for is cut off. */
const MOST_UNREAD_BYTES = 1_000_000
const RETRY_SECONDS = 15
const PAUSE_FACTOR = 5

/** What is sent next; undefined for nothing this time. */
export type Turn = { event: string; data: unknown } | 'end' | undefined

/** One open stream of server-sent events. */
export type EventStream = {
  /**
   * Sends what each turn gives, until one ends it, throws, or nobody reads any more. Turns are `ms` apart, and further where they take long: a
   * stream is busy for a sixth of its time at most.
   */
  every(ms: number, turn: () => Promise<Turn>): Promise<void>
}

type Bounds = {
  /** streams that are open at the same time, for all and for one account */
  total: number
  perAccount: number
  /** turns of all of them that are taken at the same time */
  atOnce: number
}

/** The streams that are open in this process, within bounds. */
export function createEventStreams({ total, perAccount, atOnce }: Bounds) {
  const open = new Map<ServerResponse, string>()
  const stopping = new AbortController()
  const inTurn = createTurns(atOnce)

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
      // Its connection ends with it: one that is kept alive would hold up the stopping of this process.
      raw.writeHead(200, {
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
        connection: 'close',
      })
      raw.flushHeaders()
      open.set(raw, accountId)
      raw.on('close', () => open.delete(raw))
      return {
        every: (ms, turn) => follow(raw, ms, () => inTurn(() => timed(turn)), stopping.signal),
      }
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
  turn: () => Promise<{ next: Turn; took: number }>,
  stopping: AbortSignal,
): Promise<void> {
  let spokeAt = performance.now()
  while (!raw.destroyed && !stopping.aborted && raw.writableLength < MOST_UNREAD_BYTES) {
    const { next, took } = await turn()
    if (next === 'end') break
    const now = performance.now()
    if (next || now - spokeAt > KEEP_ALIVE_MS) {
      raw.write(next ? textOf(next) : ': still here\n\n')
      spokeAt = now
    }
    await setTimeout(Math.max(ms, took * PAUSE_FACTOR), undefined, { signal: stopping }).catch(
      () => {},
    )
  }
  raw.end()
}

async function timed(turn: () => Promise<Turn>): Promise<{ next: Turn; took: number }> {
  const begun = performance.now()
  const next = await turn().catch(() => 'end' as const)
  return { next, took: performance.now() - begun }
}

/** Lets `most` pieces of work go on at the same time; the others wait for their turn. */
function createTurns(most: number) {
  const waiting: (() => void)[] = []
  let free = most
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

/** JSON has no line feeds of its own, so it is one line of data. */
const textOf = ({ event, data }: { event: string; data: unknown }): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
