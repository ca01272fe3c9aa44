import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { SESSION_IDLE_DAYS, SESSION_MAX_DAYS, tokenPattern } from '../../accounts/rules/sign-in.ts'
import { deviceOf, deviceToken } from '../../accounts/steps/known-device.ts'
import * as sessions from '../../accounts/store/developer-sessions.ts'
import { hashToken } from '../../accounts/store/token-secret.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { scopes } from '../../base/scopes.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { KeyHolder } from './authentication.ts'
import type { FailedAuthentications } from './failed-authentications.ts'

const life = { idleDays: SESSION_IDLE_DAYS, maxDays: SESSION_MAX_DAYS }
const SEEN_EVERY_MS = 5 * MINUTE_MS
const MAX_RECENT_SESSIONS = 10_000

type CookieForm = { name: string; pattern: RegExp; maxAgeSeconds: number }

/** A cookie that no other host can set if it starts with `__Host-` (RFC 6265bis, 4.1.3.2). */
export function createCookie(
  publicUrl: string,
  { name: plain, pattern, maxAgeSeconds }: CookieForm,
) {
  const isSecure = publicUrl.startsWith('https:')
  const name = isSecure ? `__Host-${plain}` : plain
  const set = (reply: FastifyReply, token: string, seconds: number) => {
    const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
    reply.header('set-cookie', `${name}=${token}; ${attributes}; Max-Age=${seconds}`)
  }
  return {
    read({ headers }: FastifyRequest): string | undefined {
      const pairs = headers.cookie?.split(';') ?? []
      const own = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(`${name}=`))
      const token = own?.slice(name.length + 1)
      return token && pattern.test(token) ? token : undefined
    },
    write: (reply: FastifyReply, token: string) => set(reply, token, maxAgeSeconds),
    clear: (reply: FastifyReply) => set(reply, '', 0),
  }
}

const COOKIE = /(?:^|;\s*)(?:__Host-)?venue_session=[^;\s]/

/** Whether a browser is probably signed in, without a database lookup. Proves nothing. */
export const hasSessionCookie = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  COOKIE.test(headers.cookie ?? '')

const personOf = ({ account_name: name }: Developer) => ({ name, key_id: null, scopes })

/** The key holder that a session stands for: the developer's account. */
function holderOf(developer: Developer): KeyHolder {
  const { account_id, tier, requests_per_day } = developer
  const live = { id: account_id, tier, mode: 'live', live_account_id: null } as const
  return { ...personOf(developer), ...live, requests_per_day }
}

/** The key holder on the pages of the developer's sandbox, which may have a test clock. */
export function sandboxHolderOf(developer: Developer, id: string, ahead?: number): KeyHolder {
  const sandbox = { id, tier: 'pro', mode: 'test', requests_per_day: null } as const
  const live = { live_account_id: developer.account_id, clock_ahead_ms: ahead ?? null }
  return { ...personOf(developer), ...sandbox, ...live }
}

/** The signed-in developer. */
export type Developer = NonNullable<Awaited<ReturnType<typeof sessions.selectOptionalSession>>>

declare module 'fastify' {
  interface FastifyRequest {
    /** null if nobody is signed in, or if the door accepts no sessions */
    developer: Developer | null
    /** who has given their password and not yet their second factor; proves nothing */
    unproved: Developer | null
  }
}

type Deps = {
  db: Db
  publicUrl: string
  sealer: Pick<Sealer, 'tokens'>
  failures: Pick<FailedAuthentications, 'refuseBlocked' | 'failed'>
}

/** Begins sessions and opens them for requests. Not cached, so that they end immediately. */
export function createSessions({ db, publicUrl, sealer, failures }: Deps) {
  const cookie = createCookie(publicUrl, {
    name: 'venue_session',
    pattern: tokenPattern,
    maxAgeSeconds: SESSION_MAX_DAYS * 86_400,
  })
  /**
   * Marks browsers in which a developer has signed in, so that strangers' password attempts
   * elsewhere do not lock the developer out of them (OWASP, device cookies).
   */
  const device = createCookie(publicUrl, {
    name: 'venue_device',
    pattern: /^[A-Za-z0-9_-]{64}$/,
    maxAgeSeconds: 2 * SESSION_MAX_DAYS * 86_400,
  })
  const recent = new LRUCache<string, true>({ max: MAX_RECENT_SESSIONS })

  return {
    clearSession: cookie.clear,
    readSession: cookie.read,
    readDevice: device.read,
    /** Gives a browser the session that its password has begun, and marks the browser. */
    async beginSession(reply: FastifyReply, token: string): Promise<void> {
      const hash = hashToken(token)
      recent.set(hash.toString('base64'), true)
      cookie.write(reply, token)
      const owner = await sessions.selectOptionalOwner(db, hash)
      if (!owner || deviceOf(sealer, owner, device.read(reply.request))) return
      device.write(reply, deviceToken(sealer, owner))
    },
    /**
     * Signs a request in, with its cookie unless a token is given: sets `developer` and
     * `keyHolder`, or neither if the session is invalid or lacks its second factor (`unproved`).
     * Throws `rate_limited` if an address sends too many invalid sessions.
     */
    async openSession(request: FastifyRequest, token = cookie.read(request)): Promise<void> {
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
      if (!session.proved_at) {
        request.unproved = session
        return
      }
      request.developer = session
      request.keyHolder = holderOf(session)
      if (at.getTime() - session.seen_at.getTime() < SEEN_EVERY_MS) return
      await sessions.updateSessionSeen(db, session.session_id, at, life)
    },
  }
}
