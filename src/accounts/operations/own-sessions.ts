import type { Services } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import {
  deleteOtherSessions,
  deleteSession,
  type ListedSession,
  selectSessions,
} from '../store/developer-sessions.ts'

/** A session of a developer, as listed. */
export type OwnSession = ListedSession

/** The sessions of a developer that have not ended, last used first. */
export const listSessions = ({ db }: Pick<Services, 'db'>, developerId: string, at: Date) =>
  selectSessions(db, developerId, at)

/** Ends one of the developer's sessions; throws `page_not_found` for any other. */
export async function endSession(
  { db }: Pick<Services, 'db'>,
  developerId: string,
  id: string,
): Promise<void> {
  if (await deleteSession(db, developerId, id)) return
  throw refuse('page_not_found', 'No such session: it may have ended already.')
}

/** Signs out of the current session. */
export async function leaveSession(
  { db }: Pick<Services, 'db'>,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<void> {
  await deleteSession(db, id, sessionId)
}

/** Ends every session of a developer but the current one. */
export const endOtherSessions = (
  { db }: Pick<Services, 'db'>,
  developerId: string,
  keptId: string,
): Promise<void> => deleteOtherSessions(db, developerId, keptId)
