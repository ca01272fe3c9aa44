import type { ServerResponse } from 'node:http'
import type { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import type { KeyHolder } from '../guards/authentication.ts'
import { createOpenStreams, type StreamPermit } from '../http/open-streams.ts'

type Session = {
  transport: SSEServerTransport
  stream: ServerResponse
  holder: KeyHolder
  lastUsed: number
}

const KEEP_ALIVE_MS = 15_000
/** Clients with more unread bytes are disconnected, so that responses do not pile up in memory. */
const MAX_UNREAD_BYTES = 1_000_000

/** This process's open sessions: kept alive, limited in number, and ended when idle. */
export function createSessions(total: number, idleSeconds: number) {
  const streams = createOpenStreams(total)
  const sessions = new Map<string, Session>()
  const idleMs = idleSeconds * 1000
  const timer = setInterval(sweep, Math.min(KEEP_ALIVE_MS, idleMs / 2)).unref()

  function sweep() {
    const idleSince = performance.now() - idleMs
    for (const [sessionId, { transport, stream, lastUsed }] of sessions) {
      if (stream.destroyed) sessions.delete(sessionId)
      else if (isUnread(stream)) stream.destroy()
      else if (lastUsed <= idleSince) void transport.close()
      else if (stream.writableLength === 0) stream.write(': keep-alive\n\n')
    }
  }

  return {
    count: streams.count,
    admit: streams.admit,
    open(permit: StreamPermit, session: Omit<Session, 'lastUsed'>): void {
      const { transport, stream } = session
      sessions.set(transport.sessionId, { ...session, lastUsed: performance.now() })
      permit.use(stream)
      stream.on('close', () => sessions.delete(transport.sessionId))
    },
    /** Finds a session if the given key, or a token of the same grant, opened it. */
    find(sessionId: unknown, { key_id, grant_id }: KeyHolder): Session | undefined {
      const session = sessions.get(String(sessionId))
      const { holder } = session ?? {}
      if (!session || holder?.key_id !== key_id || holder.grant_id !== grant_id) return undefined
      if (isUnread(session.stream)) session.stream.destroy()
      if (session.stream.destroyed) return undefined
      session.lastUsed = performance.now()
      return session
    },
    /** Admits no more sessions, and ends them all after `answered`, as answers use the streams. */
    async stop(answered: () => Promise<unknown>): Promise<void> {
      await streams.stop(answered)
      clearInterval(timer)
    },
  }
}

const isUnread = (stream: ServerResponse) => stream.writableLength > MAX_UNREAD_BYTES
