import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { followFeed } from '../../agents/operations/follow-feed.ts'
import { readActivityAfter } from '../../agents/operations/read-feed.ts'
import type { Activity } from '../../agents/schema/feed.ts'
import { invalidRequest, refuse } from '../../base/errors.ts'
import { isTransient } from '../../platform/database/unavailable.ts'
import { refusalFrom, sendProblem } from '../calls/refusals.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { rateLimitHeaders } from '../guards/allowance.ts'
import { createOpenStreams, hijackStream, type StreamPermit } from '../http/open-streams.ts'

const RECONNECT_AFTER_MS = 3_000
const retry = `retry: ${RECONNECT_AFTER_MS}\n`
const DATABASE_RETRY_MS = 5_000

/** Whether a request asks for a stream (HTML, 9.2 Server-sent events) rather than a page. */
export const wantsStream = ({ method, headers: { accept = '' } }: FastifyRequest): boolean =>
  method === 'GET' && /\btext\/event-stream\b/i.test(accept) && !/\bjson\b/i.test(accept)

/**
 * Streams the feed as it is published. Each event has its activity's id, so a client that
 * reconnects with `Last-Event-ID` neither misses nor repeats any. Heartbeat comments keep the
 * connection open, and the key is rechecked at each. A stream uses one request of the quota.
 */
export function createFeedStream(
  scope: FastifyInstance,
  { run, guards, services, metrics, config, publicUrl }: DoorDeps,
) {
  const streams = createOpenStreams(config.FEED_MAX_STREAMS)
  const heartbeatMs = config.FEED_HEARTBEAT_SECONDS * 1000
  scope.addHook('preClose', () => streams.stop())
  metrics.beforeScrape(() => metrics.feedStreams.set(streams.count()))

  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    // Clients reconnect after a stream ends, perhaps to another process, but not after a refusal
    // (HTML, 9.2.3).
    if (services.feed.stopping.aborted) return void begin(reply).end(retry)
    let permit: StreamPermit | undefined
    const read = () => {
      const after = lastEventIdOf(request)
      if (!request.keyHolder) throw refuse('unauthenticated')
      permit = streams.admit(request.keyHolder)
      return { input: { after } }
    }
    const call = { door: 'rest', request, operation: followFeed, read } as const
    const { result, allowance } = await run(call)
    reply.headers(rateLimitHeaders(allowance))
    if ('refusal' in result) {
      permit?.release()
      return sendProblem(reply, publicUrl, result.refusal)
    }
    const after = Number(result.output.after)
    const stream = begin(reply)
    // The first event's id is the stream's starting point, so that a client disconnected before
    // anything has happened resumes from that point.
    stream.write(retry + eventOf({ id: String(after), type: 'stream.opened' }))
    permit?.use(stream)
    // When the client reconnects, the cause of the error is reported and logged.
    await follow(request, stream, after).catch(() => {})
    stream.end()
  }

  /** Runs until the stream or the process ends; throws once the key is no longer valid. */
  async function follow(request: FastifyRequest, stream: ServerResponse, after: number) {
    const { stopping } = services.feed
    const closed = new AbortController()
    stream.once('close', () => closed.abort())
    let last = after
    let checkedAt = performance.now()
    const readNext = async () => {
      const activities = await readActivityAfter(services, last, heartbeatMs)
      if (performance.now() - checkedAt < heartbeatMs) return activities
      request.keyHolder = undefined
      await guards.identify(request)
      checkedAt = performance.now()
      return activities
    }
    while (isOpen(stream) && !stopping.aborted) {
      const next = await readNext().catch(undefinedIfPassing)
      await send(stream, next?.length ? next.map(eventOf).join('') : ': keep-alive\n\n', closed)
      last = Number(next?.at(-1)?.id ?? last)
      if (!next) await setTimeout(DATABASE_RETRY_MS, undefined, { signal: stopping })
    }
  }
}

function undefinedIfPassing(error: unknown): undefined {
  if (!isTransient(error) && refusalFrom(error).code !== 'overloaded') throw error
}

const begin = (reply: FastifyReply): ServerResponse =>
  hijackStream(reply)
    .setHeader('content-type', 'text/event-stream; charset=utf-8')
    .setHeader('cache-control', 'no-store')
    // A client that reconnects may then reach another process.
    .setHeader('connection', 'close')

/** Waits until the reader can take more or has disconnected. */
async function send(stream: ServerResponse, text: string, { signal }: AbortController) {
  if (!isOpen(stream) || stream.write(text)) return
  await once(stream, 'drain', { signal }).catch(() => stream.destroy())
}

const isOpen = (stream: ServerResponse) => !stream.destroyed && !stream.writableEnded

const eventOf = (event: Activity | { id: string; type: 'stream.opened' }) =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** Null if the client is not resuming a stream. */
function lastEventIdOf({ headers }: FastifyRequest): number | null {
  const id = headers['last-event-id'] ?? ''
  if (id === '') return null
  if (typeof id === 'string' && /^\d{1,15}$/.test(id)) return Number(id)
  const detail = 'expected `Last-Event-ID` to be an id of the feed'
  throw invalidRequest([{ pointer: '', detail }])
}
