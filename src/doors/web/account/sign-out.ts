import type { FastifyInstance } from 'fastify'
import type { DashboardDeps } from '../dashboard/page-deps.ts'
import { endPresent } from './end-present.ts'

/** `POST /sign-out` ends the session that sends it; somebody who opens the address is led to where the button is. */
export async function signOutRoute(scope: FastifyInstance, { services, guards }: DashboardDeps) {
  scope.get('/sign-out', async (_, reply) => reply.redirect('/dashboard', 303))

  scope.post('/sign-out', async (request, reply) => {
    await endPresent(services, request)
    guards.sessionCookie.clear(reply)
    return reply.redirect('/sign-in?done=signed-out', 303)
  })
}
