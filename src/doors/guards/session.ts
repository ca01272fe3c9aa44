import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { SESSION_IDLE_DAYS, SESSION_MAX_DAYS, tokenPattern } from '../../accounts/rules/sign-in.ts'
import * as sessions from '../../accounts/store/developer-sessions.ts'
import { hashToken } from '../../accounts/store/token-secret.ts'
import { MINUTE_MS } from '../../contract/rules/durations.ts'
import { scopes } from '../../contract/rules/scopes.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { FailedAuthentications } from './failed-authentications.ts'

const life = { idleDays: SESSION_IDLE_DAYS, maxDays: SESSION_MAX_DAYS }
const SEEN_EVERY_MS = 5 * MINUTE_MS
const MAX_RECENT_SESSIONS = 10_000

/** The cookie of a session. With `__Host-` no other host can set it (RFC 6265bis, 4.1.3.2). */
export function createSessionCookie(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:')
  const name = isSecure ? '__Host-venue_session' : 'venue_session'
  const set = (reply: FastifyReply, token: string, seconds: number) => {
    const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
    reply.header('set-cookie', `${name}=${token}; ${attributes}; Max-Age=${seconds}`)
  }
  return {
    read(request: FastifyRequest): string | undefined {
      const pairs = request.headers.cookie?.split(';') ?? []
      const own = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(`${name}=`))
      const token = own?.slice(name.length + 1)
      return token && tokenPattern.test(token) ? token : undefined
    },
    write: (reply: FastifyReply, token: string) => set(reply, token, SESSION_MAX_DAYS * 86_400),
    clear: (reply: FastifyReply) => set(reply, '', 0),
  }
}

const COOKIE = /(?:^|;\s*)(?:__Host-)?venue_session=[^;\s]/

/** Whether a browser is likely signed in, without asking the database. Proves nothing. */
export const hasSessionCookie = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  COOKIE.test(headers.cookie ?? '')

/** The account that a session looks at: the developer's, or its sandbox. */
function accountOf({ account_id, account_name: name, sandbox_id, ...account }: Developer) {
  if (sandbox_id) {
    return { id: sandbox_id, name, tier: 'pro', mode: 'test', requests_per_day: null } as const
  }
  const { tier, requests_per_day } = account
  return { id: account_id, name, tier, mode: 'live', requests_per_day } as const
}

/** The person who is signed in. */
export type Developer = NonNullable<Awaited<ReturnType<typeof sessions.selectOptionalSession>>>

declare module 'fastify' {
  interface FastifyRequest {
    /** null when nobody is signed in or the door takes no sessions */
    developer: Developer | null
  }
}

/**
 * Signs a request in, by its cookie unless a token is given: sets `developer` and `keyHolder`, or
 * neither without a valid session. No cache, so that ending a session works at once. Throws
 * `rate_limited` when an address sends too many invalid ones.
 */
export function createOpenSession(
  db: Db,
  cookie: ReturnType<typeof createSessionCookie>,
  failures: Pick<FailedAuthentications, 'refuseBlocked' | 'failed'>,
) {
  const recent = new LRUCache<string, true>({ max: MAX_RECENT_SESSIONS })

  return async (request: FastifyRequest, token = cookie.read(request)): Promise<void> => {
    if (!token) return
    const hash = hashToken(token)
    const key = hash.toString('base64')
    if (!recent.has(key)) failures.refuseBlocked(request)
    const at = new Date()
    const session = await sessions.selectOptionalSession(db, hash, at)
    if (!session) {
      recent.delete(key)
      return failures.failed(request)
    }
    recent.set(key, true)
    request.developer = session
    request.keyHolder = { ...accountOf(session), key_id: null, scopes }
    if (at.getTime() - session.seen_at.getTime() < SEEN_EVERY_MS) return
    await sessions.updateSessionSeen(db, session.session_id, at, life)
  }
}
