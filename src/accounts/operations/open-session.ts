import { randomUUIDv7 } from 'node:crypto'
import type { Db } from '../../platform/database/sql.ts'
import { MOST_SESSIONS, SESSION_IDLE_DAYS } from '../rules/sign-in.ts'
import { deleteOldSessions, insertSession } from '../store/developer-sessions.ts'
import { hashToken, newToken } from '../store/token-secret.ts'

const DAY_MS = 86_400_000

/** Somebody at a browser: when, from where, and what it is in words. */
export type Visit = { at: Date; address: string; device: string }

/** Begins a session with a token of its own, which only its holder has; the oldest of too many ends. */
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
  await deleteOldSessions(db, developerId, MOST_SESSIONS)
  return token
}
