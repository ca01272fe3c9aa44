import type { FastifyRequest } from 'fastify'
import { SESSION_IDLE_DAYS, SESSION_MAX_DAYS } from '../../accounts/rules/sign-in.ts'
import {
  selectOptionalSession,
  updateSessionSeen,
} from '../../accounts/store/developer-sessions.ts'
import { hashToken } from '../../accounts/store/token-secret.ts'
import { scopes } from '../../contract/rules/scopes.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { SessionCookie } from './session-cookie.ts'

const life = { idleDays: SESSION_IDLE_DAYS, maxDays: SESSION_MAX_DAYS }
const SEEN_EVERY_MS = 5 * 60_000

/** Whoever is signed in. */
export type Developer = {
  id: string
  email: string
  isOperator: boolean
  isVerified: boolean
  sessionId: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null when nobody is signed in or the door takes no sessions */
    developer: Developer | null
  }
}

/**
 * Signs a request in, by its cookie unless a token is given: sets `developer`, and `keyHolder` to the account behind it. Leaves both
 * alone without a session that lives. Sessions are looked up at every request, so that an ended one ends at once.
 */
export type OpenSession = (request: FastifyRequest, token?: string) => Promise<void>

export function createOpenSession(db: Db, cookie: SessionCookie): OpenSession {
  return async (request, token = cookie.read(request)) => {
    if (!token) return
    const at = new Date()
    const session = await selectOptionalSession(db, hashToken(token), at)
    if (!session) return
    const { session_id: sessionId, id, email } = session
    request.developer = {
      id,
      email,
      isOperator: session.is_operator,
      isVerified: session.is_verified,
      sessionId,
    }
    request.keyHolder = {
      id: session.account_id,
      name: session.account_name,
      tier: session.tier,
      keyId: null,
      scopes,
      requestsPerDay: session.requests_per_day,
    }
    if (at.getTime() - session.seen_at.getTime() < SEEN_EVERY_MS) return
    await updateSessionSeen(db, sessionId, at, life)
  }
}
