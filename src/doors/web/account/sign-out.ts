import type { FastifyInstance } from 'fastify'
import { deleteSession } from '../../../store/developer-sessions.ts'
import type { AccountDeps } from './account-door.ts'

/** `POST /sign-out` ends the session that sends it. */
export async function signOutRoute(scope: FastifyInstance, { services, guards }: AccountDeps) {
  scope.post('/sign-out', async ({ developer }, reply) => {
    if (developer) await deleteSession(services.db, developer.id, developer.sessionId)
    guards.sessionCookie.clear(reply)
    return reply.redirect('/sign-in', 303)
  })
}
