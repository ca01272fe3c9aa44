import type { Services } from '../../contract/define.ts'
import { refuse } from '../../contract/rules/errors.ts'
import {
  deleteOtherSessions,
  deleteSession,
  type ListedSession,
  selectSessions,
} from '../store/developer-sessions.ts'

/** Where somebody is signed in: one of their sessions. */
export type OwnSession = ListedSession

/** The living sessions of a developer, the last used first. */
export const listSessions = ({ db }: Pick<Services, 'db'>, developerId: string, at: Date) =>
  selectSessions(db, developerId, at)

/** Ends a session of the developer's own; throws `page_not_found` for any other. */
export async function endSession(
  { db }: Pick<Services, 'db'>,
  developerId: string,
  id: string,
): Promise<void> {
  if (await deleteSession(db, developerId, id)) return
  throw refuse('page_not_found', 'You have no such session: it may have ended already.')
}

/** Ends the session that somebody came with, if it has not ended already. */
export async function leaveSession(
  { db }: Pick<Services, 'db'>,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<void> {
  await deleteSession(db, id, sessionId)
}

/** Ends every session of a developer but the one that asks for it. */
export const endOtherSessions = (
  { db }: Pick<Services, 'db'>,
  developerId: string,
  keptId: string,
): Promise<void> => deleteOtherSessions(db, developerId, keptId)
