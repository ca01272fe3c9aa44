import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { followFeed } from '../../agents/operations/follow-feed.ts'
import { readActivityAfter } from '../../agents/operations/read-feed.ts'
import type { Activity } from '../../agents/schema/feed.ts'
import type { Services } from '../../contract/operation.ts'
import { invalidRequest, refuse } from '../../contract/rules/errors.ts'
import { isPassing } from '../../platform/database/unavailable.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { rateLimitHeaders } from '../guards/allowance.ts'
import type { Guards } from '../guards/guards.ts'
import { refusalFrom } from '../refusal-from.ts'
import type { RunOperation } from '../run-operation.ts'
import { createOpenStreams, type StreamPlace } from './open-streams.ts'
import { sendProblem } from './problem.ts'

const HEARTBEAT_MS = 15_000
const RECONNECT_AFTER_MS = 3_000
const retry = `retry: ${RECONNECT_AFTER_MS}\n`
/** So often a stream looks whether the database is there again. */
const AWAY_MS = 5_000
/** Who has not read what was sent by then is cut off. */
const UNREAD_MS = 30_000

export type FeedStreamDeps = {
  run: RunOperation
  guards: Pick<Guards, 'identify'>
  services: Pick<Services, 'db' | 'feed'>
  metrics: Metrics
  publicUrl: string
  mostStreams: number
}

/** Answers a request for the feed as an event stream. */
export type FeedStream = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Whether a request wants a stream (HTML, 9.2 Server-sent events) rather than a page. */
export const wantsStream = ({ method, headers: { accept = '' } }: FastifyRequest): boolean =>
  method === 'GET' && /\btext\/event-stream\b/i.test(accept) && !/\bjson\b/i.test(accept)

/**
 * The feed as it is published: each event has the id of its activity, so that a client that reconnects with `Last-Event-ID` misses and
 * repeats nothing. A comment every 15 s keeps the connection; with it the key is looked up again. One request of the quota a stream.
 */
export function createFeedStream(
  scope: FastifyInstance,
  { run, guards, services, metrics, publicUrl, mostStreams }: FeedStreamDeps,
): FeedStream {
  const streams = createOpenStreams(mostStreams)
  scope.addHook('preClose', streams.stop)
  metrics.beforeScrape(() => metrics.feedStreams.set(streams.count()))

  return async (request, reply) => {
    // An ended stream is come back to, a refusal is not (HTML, 9.2.3): elsewhere, if there is anywhere.
    if (services.feed.stopping.aborted) return void begin(reply).end(retry)
    let place: StreamPlace | undefined
    const target = { operation: followFeed, tier: followFeed.tier }
    const read = () => {
      const after = lastEventIdOf(request)
      if (!request.keyHolder) throw refuse('unauthenticated')
      place = streams.admit(request.keyHolder)
      return { input: { after }, from: null }
    }
    const { result, allowance } = await run({ door: 'rest', request, target, read })
    if (allowance) reply.headers(rateLimitHeaders(allowance))
    if ('refusal' in result) {
      place?.giveBack()
      return sendProblem(request, reply, publicUrl, result.refusal)
    }
    const after = Number(result.output.after)
    const stream = open(reply, after)
    place?.use(stream)
    // Whatever ended it is met, and noted, when the client comes back.
    await follow(request, stream, after).catch(() => {})
    stream.end()
  }

  /** Ends with the stream or the process, or throws when the key holds no longer. */
  async function follow(request: FastifyRequest, stream: ServerResponse, after: number) {
    const { stopping } = services.feed
    let last = after
    let checkedAt = performance.now()
    const readNext = async () => {
      const found = await readActivityAfter(services, last, HEARTBEAT_MS)
      if (performance.now() - checkedAt < HEARTBEAT_MS) return found
      request.keyHolder = undefined
      await guards.identify(request)
      checkedAt = performance.now()
      return found
    }
    while (isOpen(stream) && !stopping.aborted) {
      const found = await readNext().catch(passing)
      await send(stream, found?.length ? found.map(eventOf).join('') : ': keep-alive\n\n')
      last = Number(found?.at(-1)?.id ?? last)
      if (!found) await setTimeout(AWAY_MS, undefined, { signal: stopping })
    }
  }
}

/** Nothing in place of what the database does not answer for the time being; throws anything else. */
function passing(error: unknown): undefined {
  if (!isPassing(error) && refusalFrom(error).code !== 'overloaded') throw error
}

/** Its first event says where it begins, so that a client that is cut off before anything has happened goes on from there. */
function open(reply: FastifyReply, after: number): ServerResponse {
  const stream = begin(reply)
  stream.write(retry + eventOf({ id: String(after), type: 'stream.opened' }))
  return stream
}

function begin(reply: FastifyReply): ServerResponse {
  reply.hijack()
  const stream = reply.raw
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) stream.setHeader(name, value)
  }
  stream.setHeader('content-type', 'text/event-stream; charset=utf-8')
  stream.setHeader('cache-control', 'no-store')
  stream.setHeader('x-accel-buffering', 'no')
  // Who comes back may come to another process.
  stream.setHeader('connection', 'close')
  return stream
}

/** Waits until the reader has room for more. */
async function send(stream: ServerResponse, text: string): Promise<void> {
  if (!isOpen(stream) || stream.write(text)) return
  await once(stream, 'drain', { signal: AbortSignal.timeout(UNREAD_MS) }).catch(() =>
    stream.destroy(),
  )
}

const isOpen = (stream: ServerResponse) => !stream.destroyed && !stream.writableEnded

const eventOf = (told: Activity | { id: string; type: 'stream.opened' }) =>
  `id: ${told.id}\nevent: ${told.type}\ndata: ${JSON.stringify(told)}\n\n`

/** Null when the client begins anew. */
function lastEventIdOf({ headers }: FastifyRequest): number | null {
  const sent = headers['last-event-id']
  if (sent === undefined || sent === '') return null
  if (typeof sent === 'string' && /^\d{1,15}$/.test(sent)) return Number(sent)
  throw invalidRequest([
    { pointer: '', detail: 'expected `Last-Event-ID` to be an id of the feed' },
  ])
}
