import { randomUUIDv7 } from 'node:crypto'
import type { Services } from '../../contract/operation.ts'
import { DAY_MS } from '../../contract/rules/durations.ts'
import { refuse } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { MAX_SESSIONS, SESSION_IDLE_DAYS } from '../rules/sign-in.ts'
import * as stored from '../store/developer-sessions.ts'
import { hashToken, newToken } from '../store/token-secret.ts'

type WithDb = Pick<Services, 'db'>

/** A browser: when it called, its network address, and its description. */
export type Visit = { at: Date; address: string; device: string }

/** Begins a session and returns its token; ends the oldest session when there are too many. */
export async function openSession(db: Db, developerId: string, { at, device }: Visit) {
  const token = newToken()
  const expiresAt = new Date(at.getTime() + SESSION_IDLE_DAYS * DAY_MS)
  const session = { id: randomUUIDv7(), developerId, tokenHash: hashToken(token), device, at }
  await stored.insertSession(db, { ...session, expiresAt })
  await stored.deleteOldSessions(db, developerId, MAX_SESSIONS)
  return token
}

/** The sessions of a developer that have not ended, last used first. */
export const listSessions = ({ db }: WithDb, developerId: string, at: Date) =>
  stored.selectSessions(db, developerId, at)
export type OwnSession = stored.ListedSession

/** Ends one of the developer's sessions; throws `page_not_found` for any other. */
export async function endSession({ db }: WithDb, developerId: string, id: string) {
  if (await stored.deleteSession(db, developerId, id)) return
  throw refuse('page_not_found', 'No such session: it may have ended already.')
}

/** Signs out of the current session. */
export const leaveSession = (
  { db }: WithDb,
  { id, session_id }: { id: string; session_id: string },
) => stored.deleteSession(db, id, session_id)

/** Ends every session of a developer but the current one. */
export const endOtherSessions = ({ db }: WithDb, developerId: string, keptId: string) =>
  stored.deleteSessions(db, developerId, keptId)
