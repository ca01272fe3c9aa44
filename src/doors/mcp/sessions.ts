import type { ServerResponse } from 'node:http'
import type { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { refuse } from '../../contract/rules/errors.ts'
import type { KeyHolder } from '../guards/authentication.ts'

/** An open event stream and whose it is. */
export type Session = {
  transport: SSEServerTransport
  stream: ServerResponse
  keyId: string | null
  accountId: string
  lastUsed: number
}

export type SessionLimits = { total: number; idleSeconds: number }

const KEEP_ALIVE_MS = 15_000
/** A client that does not read what it asked for is cut off, so that answers do not pile up here. */
const MOST_UNREAD_BYTES = 1_000_000
/** One account may hold this part of all sessions. */
const ACCOUNT_SHARE = 0.1

/** The open sessions of this process, kept alive, limited and ended when idle. */
export function createSessions({ total, idleSeconds }: SessionLimits) {
  const sessions = new Map<string, Session>()
  let stopped = false
  const perAccount = Math.max(1, Math.floor(total * ACCOUNT_SHARE))
  const idleMs = idleSeconds * 1000
  const timer = setInterval(tend, Math.min(KEEP_ALIVE_MS, idleMs / 2)).unref()

  function tend() {
    const idleSince = performance.now() - idleMs
    for (const [sessionId, { transport, stream, lastUsed }] of sessions) {
      if (stream.destroyed) sessions.delete(sessionId)
      else if (isUnread(stream)) stream.destroy()
      else if (lastUsed <= idleSince) void transport.close()
      else stream.write(': keep-alive\n\n')
    }
  }

  return {
    /** How many are open. */
    count: () => sessions.size,
    /** Throws `too_many_sessions` when one more would pass a cap, and `service_unavailable` once all are being ended. */
    admit({ id }: KeyHolder): void {
      if (stopped)
        throw refuse('service_unavailable', 'This process is stopping.', { retry_after: 1 })
      const own = [...sessions.values()].filter(({ accountId }) => accountId === id).length
      if (sessions.size >= total || own >= perAccount) {
        throw refuse('too_many_sessions', undefined, { retry_after: KEEP_ALIVE_MS / 1000 })
      }
    },
    open(transport: SSEServerTransport, stream: ServerResponse, holder: KeyHolder): void {
      const { sessionId } = transport
      const owner = { keyId: holder.keyId, accountId: holder.id }
      sessions.set(sessionId, { transport, stream, ...owner, lastUsed: performance.now() })
      stream.on('close', () => sessions.delete(sessionId))
    },
    /** The session, if this key opened it; throws `session_not_found` alike when it is closed, unread or another's. */
    use(sessionId: unknown, { keyId }: KeyHolder): Session {
      const session = sessions.get(String(sessionId))
      if (session?.keyId !== keyId) throw refuse('session_not_found')
      if (isUnread(session.stream)) session.stream.destroy()
      if (session.stream.destroyed) throw refuse('session_not_found')
      session.lastUsed = performance.now()
      return session
    },
    /** Admits no more, and ends all once `answered`: answers go out on the streams. */
    async stop(answered: () => Promise<unknown>): Promise<void> {
      stopped = true
      await answered()
      clearInterval(timer)
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()))
    },
  }
}

const isUnread = (stream: ServerResponse) => stream.writableLength > MOST_UNREAD_BYTES
