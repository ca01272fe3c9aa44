import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FailureKind } from '../../base/http-failures.ts'
import { type Connection, createIdleConnections, openConnection } from './connections.ts'
import { dial } from './dial.ts'
import { type ExchangeAnswer, type ExchangeRequest, exchange } from './exchange.ts'
import { OutboundError } from './failure.ts'
import { canonical } from './public-address.ts'
import { askNameServers, askSystem, type Resolve, resolveTarget } from './resolve.ts'
import { createSemaphore } from './semaphore.ts'
import { type OutboundPolicy, parseTarget, type Target } from './target.ts'

export type OutboundRequest = Omit<ExchangeRequest, 'path'> & {
  url: string
  /** time limit from lookup to body; waiting for a socket may take as long again */
  deadlineMs: number
  /** the caller whose share of sockets it uses */
  who?: string
  /** closes the socket; `send` then rejects with `aborted` */
  signal?: AbortSignal | undefined
}

export type OutboundAnswer = ExchangeAnswer & { ms: number }

/** The maximum share of free sockets for one `who`. */
const SHARE = 0.5

/** The only way to reach a venue or a subscriber. */
export type Outbound = {
  /** Returns any HTTP answer, redirects included; otherwise throws `OutboundError`. */
  send(request: OutboundRequest): Promise<OutboundAnswer>
  /** Cancels running requests and closes every socket. */
  close(): Promise<void>
}

/** `parts` is for tests; `ca` replaces the usual certificate authorities. */
export function createOutbound(
  policy: OutboundPolicy,
  parts: { resolve?: Resolve; ca?: string } = {},
): Outbound {
  const { resolve, ca } = parts
  const resolvers = { names: resolve ?? askNameServers(), allowed: resolve ?? askSystem }
  const sockets = createSemaphore(policy.maxSockets, SHARE)
  const idle = createIdleConnections()
  const closing = new AbortController()
  let active = 0

  /** Reuses or opens a connection to an acceptable address to which the name resolves now. */
  async function attempt(
    target: Target,
    request: OutboundRequest,
    signal: AbortSignal,
    progress: { sent: boolean },
  ): Promise<ExchangeAnswer> {
    const addresses = await raced(resolveTarget(target, policy, resolvers), signal)
    const message = { ...request, path: target.path }
    const onSending = () => {
      progress.sent = true
    }
    const idleConnection = idle.take(target.origin, addresses.map(canonical))
    if (idleConnection) {
      try {
        return await exchangeAndKeep(idleConnection, message, signal, onSending)
      } catch (error) {
        // If nothing was sent, the other side had closed the connection: open another one.
        if (progress.sent || signal.aborted) throw error
      }
    }
    idle.shrink(policy.maxSockets - active)
    const dialled = await dial(target, addresses, signal, ca)
    return exchangeAndKeep(openConnection(target.origin, dialled), message, signal, onSending)
  }

  async function exchangeAndKeep(
    connection: Connection,
    ...rest: [ExchangeRequest, AbortSignal, () => void]
  ): Promise<ExchangeAnswer> {
    const answer = await exchange(connection, ...rest)
    // A connection that ends with its answer is marked as closed one turn later.
    await nextTurn()
    if (closing.signal.aborted) void connection.client.destroy()
    else if (connection.isOpen()) idle.keep(connection)
    return answer
  }

  async function sendNow(
    target: Target,
    request: OutboundRequest,
    ending: Ending,
  ): Promise<OutboundAnswer> {
    const startedAt = performance.now()
    const ms = () => Math.round(performance.now() - startedAt)
    const progress = { sent: false }
    try {
      return { ...(await attempt(target, request, ending.signal, progress)), ms: ms() }
    } catch (error) {
      const { sent } = progress
      const kind = ending.kind()
      if (kind) throw new OutboundError(kind, { sent, ms: ms() })
      if (!(error instanceof OutboundError)) throw error
      throw new OutboundError(error.kind, { what: error.message, sent, ms: ms() })
    }
  }

  return {
    async send(request) {
      const target = parseTarget(request.url, policy)
      const signals = [closing.signal, request.signal]
      await withEnding('busy', request.deadlineMs, signals, (ending) =>
        sockets.acquire(ending.signal, request.who).catch(() => {
          throw new OutboundError(ending.kind() ?? 'busy')
        }),
      )
      active += 1
      try {
        return await withEnding('timeout', request.deadlineMs, signals, (ending) =>
          sendNow(target, request, ending),
        )
      } finally {
        active -= 1
        sockets.release(request.who)
      }
    },
    async close() {
      closing.abort()
      idle.shrink(0)
    },
  }
}

/** `kind` returns the failure that cut the step short, if any. */
type Ending = { signal: AbortSignal; kind(): FailureKind | undefined }

/** Ends a step as `late` after `deadlineMs`, or as `aborted` when one of the signals aborts. */
async function withEnding<T>(
  late: FailureKind,
  deadlineMs: number,
  signals: readonly (AbortSignal | undefined)[],
  step: (ending: Ending) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  let kind: FailureKind | undefined
  const end = (why: FailureKind) => {
    kind ??= why
    controller.abort()
  }
  const abort = () => end('aborted')
  const timer = setTimeout(() => end(late), deadlineMs)
  for (const signal of signals) {
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
  }
  try {
    return await step({ signal: controller.signal, kind: () => kind })
  } finally {
    clearTimeout(timer)
    for (const signal of signals) signal?.removeEventListener('abort', abort)
  }
}

/** The work's outcome, or the signal's reason if that comes first; the work itself continues. */
function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
