import { randomUUIDv7 } from 'node:crypto'
import { DAY_MS } from '../../contract/rules/durations.ts'
import type { Db } from '../../platform/database/sql.ts'
import { MAX_SESSIONS, SESSION_IDLE_DAYS } from '../rules/sign-in.ts'
import { deleteOldSessions, insertSession } from '../store/developer-sessions.ts'
import { hashToken, newToken } from '../store/token-secret.ts'

/** A browser: when it called, its network address, and its description. */
export type Visit = { at: Date; address: string; device: string }

/** Begins a session and returns its token; ends the oldest session when there are too many. */
export async function openSession(db: Db, developerId: string, visit: Visit): Promise<string> {
  const token = newToken()
  await insertSession(db, {
    id: randomUUIDv7(),
    developerId,
    tokenHash: hashToken(token),
    device: visit.device,
    at: visit.at,
    expiresAt: new Date(visit.at.getTime() + SESSION_IDLE_DAYS * DAY_MS),
  })
  await deleteOldSessions(db, developerId, MAX_SESSIONS)
  return token
}
