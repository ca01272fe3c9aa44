import type { FastifyRequest } from 'fastify'
import { leaveSession } from '../../../accounts/operations/sessions.ts'
import type { Services } from '../../../contract/operation.ts'

/** Ends the session that a request came with, if any: what begins now is a session of its own. */
export async function endPresent(
  services: Pick<Services, 'db'>,
  { developer }: FastifyRequest,
): Promise<void> {
  if (developer) await leaveSession(services, developer)
}
