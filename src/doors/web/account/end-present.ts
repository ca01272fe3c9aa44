import type { FastifyRequest } from 'fastify'
import type { Services } from '../../../operations/define.ts'
import { deleteSession } from '../../../store/developer-sessions.ts'

/** Ends the session that a request came with, if any: what begins now is a session of its own. */
export async function endPresent(
  { db }: Pick<Services, 'db'>,
  { developer }: FastifyRequest,
): Promise<void> {
  if (developer) await deleteSession(db, developer.id, developer.sessionId)
}
